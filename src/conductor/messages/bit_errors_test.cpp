// Which messages may arrive with errors, what they occupy, and which bits are wrong.

#include "conductor/messages/bit_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "base/testing/arena_for_tests.hpp"
#include "network/topology/topology.hpp"

namespace kumi::conductor {
namespace {

using namespace network;

/// A star whose links are wrong that often: two hops.
class BitErrorsTest : public ::testing::Test {
   protected:
    void use(double bit_error, const ErrorPolicy& policy, const char* modulation = "qam1024") {
        const Modulation of = *find_modulation(modulation);
        const double snr =
            snr_of(of.bits_per_axis, of.axes, reach_for_bit_error(of.bits_per_axis, bit_error));
        const auto topology =
            make_topology({"star", {{"hosts", 4}}, {8'000'000'000, {100'000}, /*noise=*/1}});
        FabricDescription fabric = topology->describe();
        fabric.noises = {{make_channel(of, snr), BitOrder::kInOrder}};
        channel = fabric.noises[0].channel;
        network = Network::create(*x_arena, fabric, *topology);
        errors = x_arena->make<BitErrors>(*x_arena, policy, 4);
    }

    Message decided(std::uint64_t size_bytes, Element element, const char* function,
                    bool has_noise = true, bool is_aligned = true) {
        Message message;
        message.source = 1;
        message.target = 2;
        message.size_bytes = message.head.size_bytes = size_bytes;
        const PathNoise noise =
            has_noise ? BitErrors::noise_of(*network, 1, 2) : PathNoise{.exists = false};
        const SentContent content{.element = element,
                                  .allows_errors = source_bits.has_value(),
                                  .protected_bits = source_bits.value_or(0),
                                  .function = function,
                                  .members = members,
                                  .communicator = communicator};
        errors->decide(message.head, 1, 2, content, noise, is_aligned);
        return message;
    }
    /// Sends a message of `payload`, which arrives with its errors.
    void send(std::span<std::byte> payload, Element element, const char* function = "MPI_Send") {
        errors->corrupt(*network, 1, 2, decided(payload.size(), element, function), payload);
    }
    const ErrorCounters::OfElement& counted(Element element) const {
        return errors->counters().elements[static_cast<std::size_t>(element)];
    }
    std::uint64_t on_links(const Message& message) {
        return errors->bytes_on_links(*network, 1, 2, message);
    }

    /// What the program itself allows in the messages that follow.
    std::optional<std::uint8_t> source_bits;
    /// In which they are sent.
    std::uint32_t members = 0;
    const char* communicator = "";
    Channel channel;
    Network* network = nullptr;
    BitErrors* errors = nullptr;

   private:
    ArenaForTests x_arena;
};

ErrorRule rule_for(Element element, std::uint8_t protected_bits) {
    ErrorRule rule;
    rule.elements = 1U << static_cast<std::uint32_t>(element);
    rule.protected_bits = protected_bits;
    return rule;
}

ErrorPolicy policy_of(std::initializer_list<ErrorRule> rules, bool protects_exact = true) {
    ErrorPolicy policy;
    policy.protects_exact = protects_exact;
    for (const ErrorRule& rule : rules) policy.rules[policy.count++] = rule;
    policy.seed = 5;
    return policy;
}

TEST_F(BitErrorsTest, TheFirstRuleThatFitsDecides) {
    ErrorRule exact = rule_for(Element::kDouble, 0);
    exact.is_exact = true;
    exact.function_count = 2;
    exact.functions[0] = canonical_name("mpi_allreduce");
    exact.functions[1] = canonical_name("MPI_Reduce_scatter_block_c");
    ErrorRule large = rule_for(Element::kDouble, 8);
    large.smallest_bytes = 1'000;
    large.largest_bytes = 2'000;
    use(1e-3, policy_of({exact, large, rule_for(Element::kDouble, 16)}));
    EXPECT_FALSE(decided(1'600, Element::kDouble, "MPI_Allreduce_c").head.allows_errors);
    EXPECT_FALSE(decided(1'600, Element::kDouble, "mpi_reduce_scatter_block").head.allows_errors);
    EXPECT_FALSE(decided(1'600, Element::kFloat, "MPI_Send").head.allows_errors);
    EXPECT_EQ(errors->counters().unruled.messages, 3U);
    EXPECT_EQ(decided(1'600, Element::kDouble, "MPI_Send").head.protected_bits, 8);
    EXPECT_EQ(decided(2'400, Element::kDouble, "mpi_send").head.protected_bits, 16);
    const ErrorCounters& counters = errors->counters();
    EXPECT_EQ(counters.function_count, 1U);
    EXPECT_STREQ(counters.functions[0].name.text, "MPI_Send");
    EXPECT_EQ(counters.functions[0].allowed.bytes, 4'000U);
}

TEST_F(BitErrorsTest, ARuleMaySpeakOfCommunicators) {
    ErrorRule named = rule_for(Element::kDouble, 8);
    named.communicator_count = 2;
    std::strcpy(named.communicators[0].text, "halo");
    std::strcpy(named.communicators[1].text, "MPI_COMM_WORLD");
    named.most_members = 64;
    ErrorRule large = rule_for(Element::kDouble, 16);
    large.fewest_members = 100;
    const ErrorPolicy policy = policy_of({named, large});
    EXPECT_TRUE(policy.asks_for_communicators());
    EXPECT_FALSE(policy_of({rule_for(Element::kDouble, 8)}).asks_for_communicators());
    use(1e-3, policy);
    const auto bits_in = [&](std::uint32_t size, const char* name) {
        members = size;
        communicator = name;
        const endpoint::Head head = decided(800, Element::kDouble, "MPI_Send").head;
        return head.allows_errors ? static_cast<int>(head.protected_bits) : -1;
    };
    EXPECT_EQ(bits_in(64, "halo"), 8);
    EXPECT_EQ(bits_in(2, "MPI_COMM_WORLD"), 8);
    EXPECT_EQ(bits_in(65, "halo"), -1);
    EXPECT_EQ(bits_in(100, "halo"), 16);
    EXPECT_EQ(bits_in(99, ""), -1);
    EXPECT_EQ(bits_in(8, "hal"), -1);
    // A call that names none.
    EXPECT_EQ(bits_in(0, ""), -1);
}

TEST_F(BitErrorsTest, WhatIsNotKnownToBeNumbersIsExact) {
    use(1e-3, policy_of({rule_for(Element::kDouble, 16)}));
    EXPECT_FALSE(decided(800, Element::kNone, "MPI_Wait").head.allows_errors);
    EXPECT_FALSE(decided(804, Element::kDouble, "MPI_Bcast").head.allows_errors);
    EXPECT_FALSE(decided(800, Element::kDouble, "MPI_Bcast", true, false).head.allows_errors);
    EXPECT_EQ(errors->counters().unclassified.messages, 3U);
    EXPECT_FALSE(decided(800, Element::kDouble, "MPI_Bcast", false).head.allows_errors);
    EXPECT_EQ(errors->counters().without_noise.messages, 1U);
}

TEST_F(BitErrorsTest, AMessageOccupiesWhatItsProtectedBitsAskFor) {
    use(1e-5, policy_of({rule_for(Element::kDouble, 16)}));
    const Message message = decided(800'000, Element::kDouble, "MPI_Send");
    EXPECT_EQ(on_links(message), 800'000U * (4 * 64 + 16) / (4 * 64));
    // All protected: a quarter more. 1 ns a byte, over two links in one piece.
    EXPECT_EQ(errors->counters().saved.ps, (1'000'000 - 850'000) * 1'000);
    Message control = message;
    control.kind = MessageKind::kControl;
    control.size_bytes = 64;
    EXPECT_EQ(on_links(control), 80U);
    EXPECT_EQ(on_links(decided(800, Element::kFloat, "MPI_Send")), 1'000U);
    EXPECT_EQ(errors->counters().payload_bytes, 800'000U);
    EXPECT_EQ(errors->counters().link_bytes, 850'000U);
}

TEST_F(BitErrorsTest, ExactMessagesMayTakeNoMoreThanElsewhere) {
    use(1e-5, policy_of({rule_for(Element::kDouble, 16)}, /*protects_exact=*/false));
    EXPECT_EQ(on_links(decided(800, Element::kFloat, "MPI_Send")), 800U);
}

TEST_F(BitErrorsTest, WhatAMessageOccupiesAtMostHasAllBitsProtected) {
    use(1e-5, policy_of({rule_for(Element::kDouble, 16)}, /*protects_exact=*/false));
    EXPECT_EQ(errors->most_bytes_on_links(*network, 1, 2, 6'400), 8'000U);
    EXPECT_EQ(errors->exact_bytes_on_links(*network, 1, 2, 6'400), 6'400U);
    source_bits = 64;
    EXPECT_EQ(on_links(decided(6'400, Element::kDouble, "MPI_Send")), 8'000U);
}

TEST_F(BitErrorsTest, TheProgramItselfDecidesBeforeTheRules) {
    ErrorRule exact = rule_for(Element::kDouble, 0);
    exact.is_exact = true;
    use(1e-3, policy_of({exact, rule_for(Element::kFloat, 12)}));
    source_bits = 20;
    const Message message = decided(800, Element::kDouble, "MPI_Send");
    EXPECT_TRUE(message.head.allows_errors);
    EXPECT_EQ(message.head.protected_bits, 20);
    EXPECT_EQ(decided(800, Element::kFloat, "MPI_Send").head.protected_bits, 20);
    // What is not known to be numbers stays exact.
    EXPECT_FALSE(decided(804, Element::kDouble, "MPI_Send").head.allows_errors);
    source_bits.reset();
    EXPECT_EQ(decided(800, Element::kFloat, "MPI_Send").head.protected_bits, 12);
    EXPECT_FALSE(decided(800, Element::kDouble, "MPI_Send").head.allows_errors);
    const ErrorCounters& counters = errors->counters();
    EXPECT_EQ(counters.by_source.messages, 2U);
    EXPECT_EQ(counters.by_source.bytes, 1'600U);
    EXPECT_EQ(counters.rules[0].messages, 1U);
    EXPECT_EQ(counters.rules[1].messages, 1U);
    EXPECT_EQ(counters.unclassified.messages, 1U);
}

TEST_F(BitErrorsTest, WhatTheProgramAsksOfLinksThatCannotProtectIsExact) {
    use(1e-3, policy_of({}), "nrz");
    source_bits = 1;
    EXPECT_FALSE(decided(800, Element::kDouble, "MPI_Send").head.allows_errors);
    EXPECT_EQ(errors->counters().unprotectable.messages, 1U);
    source_bits = 0;
    EXPECT_TRUE(decided(800, Element::kDouble, "MPI_Send").head.allows_errors);
    EXPECT_EQ(errors->counters().unprotectable.messages, 1U);
    EXPECT_EQ(errors->counters().by_source.messages, 2U);
}

TEST_F(BitErrorsTest, TwoLevelsProtectNothing) {
    use(1e-5, policy_of({rule_for(Element::kDouble, 0)}), "nrz");
    EXPECT_EQ(on_links(decided(800, Element::kDouble, "MPI_Send")), 800U);
    EXPECT_EQ(on_links(decided(800, Element::kFloat, "MPI_Send")), 800U);
}

TEST_F(BitErrorsTest, BitsOfEachMessageAreItsOwnAndTheSameInEveryRepeat) {
    const ErrorPolicy policy = policy_of({rule_for(Element::kFloat, 12)});
    use(1e-3, policy);
    std::vector<std::vector<std::byte>> arrived;
    for (int repeat = 0; repeat < 2; ++repeat) {
        use(1e-3, policy);
        for (int i = 0; i < 2; ++i) {
            arrived.emplace_back(1 << 16);
            send(arrived.back(), Element::kFloat);
        }
    }
    EXPECT_EQ(arrived[0], arrived[2]);
    EXPECT_EQ(arrived[1], arrived[3]);
    EXPECT_NE(arrived[0], arrived[1]);
    // The first 12 bits of each number, which are the last of its bytes, are right.
    for (std::size_t at = 0; at < arrived[0].size(); at += 4) {
        EXPECT_EQ(std::to_integer<int>(arrived[0][at + 3]), 0);
        EXPECT_EQ(std::to_integer<int>(arrived[0][at + 2]) & 0xF0, 0);
    }
    const ErrorCounters::OfElement& of_floats = counted(Element::kFloat);
    const std::uint64_t total =
        std::accumulate(std::begin(of_floats.by_bit), std::end(of_floats.by_bit), std::uint64_t{0});
    EXPECT_EQ(errors->counters().functions[0].wrong_bits, total);
    const double bits = 2 * (1 << 16) / 4 * 20.0;
    const double expected = bits * 2 * channel.bit_error();
    EXPECT_NEAR(static_cast<double>(total), expected, 5 * std::sqrt(expected));
    EXPECT_EQ(of_floats.nan + of_floats.inf, 0U);
}

TEST_F(BitErrorsTest, NumbersThatBecomeNoneAreCounted) {
    use(2e-2, policy_of({rule_for(Element::kFloat, 0)}));
    // The largest finite numbers: one bit of the exponent is missing.
    std::vector<float> numbers(1 << 14, std::numeric_limits<float>::max());
    numbers[0] = std::numeric_limits<float>::infinity();
    send(std::as_writable_bytes(std::span(numbers)), Element::kFloat);
    std::uint64_t nan = 0, inf = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        nan += std::isnan(numbers[i]) ? 1 : 0;
        inf += std::isinf(numbers[i]) ? 1 : 0;
    }
    EXPECT_GT(nan, 100U);
    EXPECT_EQ(counted(Element::kFloat).nan, nan + (std::isnan(numbers[0]) ? 1 : 0));
    EXPECT_EQ(counted(Element::kFloat).inf, inf);
}

TEST_F(BitErrorsTest, ImportantBitsTakeTheBetterPositions) {
    // Of 1024-QAM an axis has five bits, each wrong twice as often as the one before it.
    std::vector<std::byte> payload(8 << 16);
    for (const bool by_source : {false, true}) {
        ErrorPolicy policy = policy_of({rule_for(Element::kDouble, 14)});
        (by_source ? policy.source_mode : policy.rules[0].mode).order = BitOrder::kImportantFirst;
        use(1e-2, policy);
        if (by_source) source_bits = 14;
        send(payload, Element::kDouble);
        const double axis_rate = channel.bit_error();
        const auto expect_rate = [&](std::uint32_t bit, double share) {
            const double expected = 2 * (1 << 16) * axis_rate * share * 5 / 31;
            EXPECT_NEAR(static_cast<double>(counted(Element::kDouble).by_bit[bit]), expected,
                        6 * std::sqrt(expected) + 0.05 * expected)
                << bit;
        };
        // The first ten of fifty bits are the first of an axis, the last ten the last.
        expect_rate(14, 1);
        expect_rate(23, 1);
        expect_rate(24, 2);
        expect_rate(53, 8);
        expect_rate(54, 16);
        expect_rate(63, 16);
    }
}

TEST_F(BitErrorsTest, APolicyMayHaveAnotherOrderThanTheLinks) {
    std::vector<std::vector<std::byte>> arrived;
    for (const std::optional<BitOrder> order :
         {std::optional<BitOrder>{}, {BitOrder::kInOrder}, {BitOrder::kImportantFirst}}) {
        ErrorPolicy policy = policy_of({rule_for(Element::kDouble, 16)});
        policy.rules[0].mode.order = order;
        use(1e-3, policy);
        arrived.emplace_back(1 << 16);
        send(arrived.back(), Element::kDouble);
    }
    // The links' is in order.
    EXPECT_EQ(arrived[0], arrived[1]);
    EXPECT_NE(arrived[0], arrived[2]);
}

TEST_F(BitErrorsTest, FiniteNumbersStayFiniteIfThePolicyAsksForIt) {
    std::vector<float> sent(1 << 14, std::numeric_limits<float>::max());
    for (std::size_t i = 0; i < sent.size(); i += 2) sent[i] = -1.5F;
    sent[0] = std::numeric_limits<float>::infinity();
    std::vector<float> arrived[2] = {sent, sent};
    for (const bool keeps_finite : {false, true}) {
        ErrorPolicy policy = policy_of({rule_for(Element::kFloat, 0)});
        policy.rules[0].mode.keeps_finite = keeps_finite;
        use(2e-2, policy);
        send(std::as_writable_bytes(std::span(arrived[keeps_finite ? 1 : 0])), Element::kFloat);
    }
    std::uint64_t restored = 0;
    for (std::size_t i = 1; i < sent.size(); ++i) {
        std::uint32_t before = 0, without = 0, with = 0;
        std::memcpy(&before, &sent[i], 4);
        std::memcpy(&without, &arrived[0][i], 4);
        std::memcpy(&with, &arrived[1][i], 4);
        constexpr std::uint32_t kExponent = 0x7F80'0000;
        if (std::isfinite(arrived[0][i])) {
            EXPECT_EQ(with, without);
            continue;
        }
        // The exponent as it was sent, all else as it arrived.
        EXPECT_EQ(with, (without & ~kExponent) | (before & kExponent));
        EXPECT_TRUE(std::isfinite(arrived[1][i]));
        ++restored;
    }
    EXPECT_GT(restored, 100U);
    const ErrorCounters::OfElement& of_floats = counted(Element::kFloat);
    EXPECT_EQ(of_floats.restored, restored);
    // What was not finite when it was sent arrives as links deliver it.
    EXPECT_EQ(std::memcmp(&arrived[0][0], &arrived[1][0], 4), 0);
    EXPECT_EQ(of_floats.nan + of_floats.inf, std::isnan(arrived[1][0]) ? 1U : 0U);
}

TEST_F(BitErrorsTest, WrongBitsOfEachFunctionAreThoseOfTheTypesItSent) {
    use(1e-3, policy_of({rule_for(Element::kDouble, 16), rule_for(Element::kFloat, 12)}));
    for (const char* function : {"MPI_Send", "MPI_Bcast"}) {
        for (const Element element : {Element::kDouble, Element::kFloat}) {
            std::vector<std::byte> payload(1 << 16);
            send(payload, element, function);
        }
    }
    const ErrorCounters& counters = errors->counters();
    for (const Element element : {Element::kDouble, Element::kFloat}) {
        const auto number = static_cast<std::size_t>(element);
        for (std::uint32_t bit = 0; bit < traits_of(element).word_bits; ++bit)
            EXPECT_EQ(counters.functions[0].by_bit[number][bit] +
                          counters.functions[1].by_bit[number][bit],
                      counters.elements[number].by_bit[bit]);
    }
    EXPECT_EQ(counters.functions[0].by_bit[static_cast<std::size_t>(Element::kHalf)], nullptr);
}

}  // namespace
}  // namespace kumi::conductor
