// What approximate messages of a schedule take on links, and how many of their bits are wrong.

#include "base/testing/arena_for_tests.hpp"
#include "schedule/testing/replay_under_test.hpp"

namespace kumi::schedule {
namespace {

/// A star of links that are wrong that often.
struct NoisyStar : Star {
    explicit NoisyStar(double bit_error, const char* modulation = "qam1024")
        : Star(4, /*noise=*/1) {
        const network::Modulation of = *network::find_modulation(modulation);
        const double snr = network::snr_of(
            of.bits_per_axis, of.axes, network::reach_for_bit_error(of.bits_per_axis, bit_error));
        fabric.noises = {{network::make_channel(of, snr), network::BitOrder::kInOrder}};
    }

    Replayed replay(const Schedule& schedule, std::uint64_t seed = 5, bool by_interface = false) {
        parameters.seed = seed;
        parameters.endpoint.matches_by_interface = by_interface;
        return complete(schedule);
    }
};

const conductor::ErrorCounters::OfElement& doubles(const Replayed& replayed) {
    return replayed->errors()->elements[static_cast<std::size_t>(Element::kDouble)];
}

std::uint64_t wrong_bits(const Replayed& replayed) {
    std::uint64_t wrong = 0;
    for (const std::uint64_t count : doubles(replayed).by_bit) wrong += count;
    return wrong;
}

TEST(ReplayErrors, AMessageTakesWhatItsProtectedBitsAskFor) {
    NoisyStar star(1e-5);
    const auto time = [&](const std::string& more) {
        return star.replay(one_message(32000, more))->virtual_time();
    };
    EXPECT_EQ(time("approximate double 0"), at(200_ns + 32000_ns));
    EXPECT_EQ(time("approximate double 16"), at(200_ns + 34000_ns));
    EXPECT_EQ(time("approximate float 32"), at(200_ns + 40000_ns));
    EXPECT_EQ(time(""), at(200_ns + 32000_ns));
}

TEST(ReplayErrors, ExactMessagesAreProtectedToo) {
    NoisyStar star(1e-5);
    const auto time = [&](const std::string& word) {
        const std::string ranks = "\nrank 0 { send 32000b to 1 }\nrank 1 { recv 32000b from 0 }\n";
        return star.replay(goal("num_ranks 2\nexact_messages " + word + ranks))->virtual_time();
    };
    EXPECT_EQ(time("protected"), at(200_ns + 40000_ns));
    EXPECT_EQ(time("unprotected"), at(200_ns + 32000_ns));
}

TEST(ReplayErrors, OfARendezvousOnlyThePayloadIsApproximate) {
    // Request, fetch, payload, acknowledgement: control messages take a quarter more.
    const auto replayed = NoisyStar(1e-5).replay(one_message(96000, "approximate double 16"));
    EXPECT_EQ(replayed->virtual_time(), at((200_ns + 40_ns) * 3 + 200_ns + 102000_ns));
    EXPECT_EQ(replayed->errors()->payload_bytes, 96000U);
    EXPECT_EQ(replayed->errors()->link_bytes, 102000U);
    EXPECT_GT(wrong_bits(replayed), 0U);
}

TEST(ReplayErrors, AreTheSameWhereInterfacesMatch) {
    for (const std::uint64_t size : {32000, 96000}) {
        const Schedule schedule = one_message(size, "approximate double 16");
        const auto by_host = NoisyStar(1e-4).replay(schedule);
        const auto by_interface = NoisyStar(1e-4).replay(schedule, 5, true);
        EXPECT_GT(wrong_bits(by_host), 0U);
        EXPECT_EQ(wrong_bits(by_interface), wrong_bits(by_host)) << size;
    }
}

/// The third approximate message from 0 to 1, with its errors as a payload gets them.
TEST(ReplayErrors, BitsAreWrongAsThoseOfARunWithPayloads) {
    NoisyStar star(1e-3);
    ArenaForTests arena;
    conductor::ErrorPolicy policy;
    policy.seed = 5;
    auto* errors = arena->make<conductor::BitErrors>(*arena, policy, 2);
    network::Network* network = network::Network::create(*arena, star.fabric, *star.topology);
    conductor::Message message;
    message.source = 0;
    message.target = 1;
    message.head.element = Element::kDouble;
    message.head.allows_errors = true;
    message.head.protected_bits = 16;
    message.head.size_bytes = 32000;
    message.head.ordinal = 2;
    errors->admit(message.head, "MPI_Send");
    std::vector<std::byte> payload(32000);
    errors->corrupt(*network, 0, 1, message, payload);
    const std::string send = "send 32000b to 1 tag 2 bare approximate double 16 by MPI_Send";
    const Schedule schedule = of_ranks({send, "recv 8b from 0 tag 2 bare"});
    const auto replayed = star.replay(schedule);
    const auto& expected = errors->counters().elements[static_cast<std::size_t>(Element::kDouble)];
    EXPECT_GT(wrong_bits(replayed), 100U);
    for (std::size_t bit = 0; bit < 64; ++bit)
        EXPECT_EQ(doubles(replayed).by_bit[bit], expected.by_bit[bit]) << bit;
    EXPECT_EQ(doubles(replayed).allowed.bytes, 32000U);
    const conductor::ErrorCounters::OfFunction& function = replayed->errors()->functions[0];
    EXPECT_STREQ(function.name.text, "MPI_Send");
    EXPECT_EQ(function.wrong_bits, wrong_bits(replayed));
    // A schedule that is written by hand has no tags for that: its sends count.
    const std::string out = "send 32000b to 1 approximate double 16\n";
    const std::string in = "recv 32000b from 0\n";
    const auto third = star.replay(of_ranks({out + out + out, in + in + in}));
    const auto two = star.replay(of_ranks({out + out, in + in}));
    EXPECT_EQ(wrong_bits(third) - wrong_bits(two), wrong_bits(replayed));
    EXPECT_NE(wrong_bits(star.replay(schedule, 6)), wrong_bits(replayed));
}

TEST(ReplayErrors, WithoutNoiseAndWithoutProtectionMessagesAreExact) {
    const Schedule schedule = one_message(32000, "approximate double 16");
    const auto quiet = Star(2).replay(schedule);
    EXPECT_EQ(quiet->virtual_time(), at(200_ns + 32000_ns));
    EXPECT_EQ(quiet->errors()->without_noise.bytes, 32000U);
    const auto two_levels = NoisyStar(1e-3, "nrz").replay(schedule);
    EXPECT_EQ(two_levels->errors()->unprotectable.messages, 1U);
    EXPECT_EQ(doubles(two_levels).allowed.messages, 0U);
    EXPECT_EQ(Star(2).replay(goal("num_ranks 1\nrank 0 { calc 1 }"))->errors(), nullptr);
}

}  // namespace
}  // namespace kumi::schedule
