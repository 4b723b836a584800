// Errors as they are drawn: how often, where, and that nothing else decides them.

#include "network/channel/spoil.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "network/channel/error_walk.hpp"
#include "network/testing/chi_square_for_tests.hpp"

namespace kumi::network {
namespace {

const Modulation kQam1024 = *find_modulation("qam1024");
const RandomStreams kStreams = channel_streams(11);

Channel channel_of_errors(const char* name, double bit_error) {
    const Modulation modulation = *find_modulation(name);
    const double reach = reach_for_bit_error(modulation.bits_per_axis, bit_error);
    return make_channel(modulation, snr_of(modulation.bits_per_axis, modulation.axes, reach));
}

std::vector<std::byte> some_payload(std::size_t bytes) {
    std::vector<std::byte> payload(bytes);
    for (std::size_t i = 0; i < bytes; ++i) payload[i] = static_cast<std::byte>(i * 37 + i / 251);
    return payload;
}

TEST(Spoil, TheSameBitsWhateverElseIsDrawnAndWhateverThePayloadHolds) {
    const Channel channel = channel_of_errors("qam1024", 1e-3);
    const Encoding encoding{64, 16, BitOrder::kInOrder};
    const std::vector<std::byte> original = some_payload(1 << 16);
    std::vector<std::byte> first = original;
    std::vector<std::byte> zeros(original.size());
    const SpoiledBits errors = spoil(first, encoding, channel, kStreams, 7, 2);
    // Others before it, and in another order.
    std::vector<std::byte> again = original;
    std::vector<std::byte> other = original;
    spoil(other, encoding, channel, kStreams, 7, 1);
    spoil(zeros, encoding, channel, kStreams, 7, 2);
    spoil(again, encoding, channel, kStreams, 7, 2);
    EXPECT_EQ(first, again);
    EXPECT_NE(first, other);
    for (std::size_t i = 0; i < zeros.size(); ++i) zeros[i] ^= original[i];
    EXPECT_EQ(first, zeros);
    EXPECT_GT(errors.open, 100U);
    const SpoiledBits counted = count_errors(original.size(), encoding, channel, kStreams, 7, 2);
    EXPECT_EQ(counted.open, errors.open);
    EXPECT_EQ(counted.under_protection, errors.under_protection);
    std::vector<std::byte> of_other_seed = original;
    spoil(of_other_seed, encoding, channel, channel_streams(12), 7, 2);
    EXPECT_NE(first, of_other_seed);
}

TEST(Spoil, CountsTheBitsThatItTurnsRoundAndNoOther) {
    const Channel channel = channel_of_errors("qam64", 1e-3);
    for (const BitOrder order : {BitOrder::kInOrder, BitOrder::kImportantFirst}) {
        const Encoding encoding{32, 12, order};
        const std::vector<std::byte> original = some_payload(4 * 10'007 + 3);
        std::vector<std::byte> payload = original;
        std::vector<std::uint64_t> by_bit(32);
        const SpoiledBits errors = spoil(payload, encoding, channel, kStreams, 1, 0, by_bit);
        std::vector<std::uint64_t> found(32);
        for (std::size_t word = 0; word < 10'007; ++word) {
            std::uint32_t before = 0;
            std::uint32_t after = 0;
            std::memcpy(&before, &original[4 * word], 4);
            std::memcpy(&after, &payload[4 * word], 4);
            for (int bit = 0; bit < 32; ++bit) found[bit] += ((before ^ after) >> (31 - bit)) & 1;
        }
        EXPECT_EQ(by_bit, found);
        EXPECT_TRUE(std::equal(payload.end() - 3, payload.end(), original.end() - 3));
        std::uint64_t open = 0;
        for (int bit = 12; bit < 32; ++bit) open += found[bit];
        EXPECT_EQ(open, errors.open);
        EXPECT_GT(open, 100U);
    }
}

/// Each bit of a word against the rate of its position; the chi-square of all 64.
TEST(Spoil, EachPositionIsWrongAsOftenAsTheFormulaSays) {
    const Channel channel = channel_of_errors("qam1024", 1e-3);
    const std::uint64_t groups = 1 << 18;
    for (const BitOrder order : {BitOrder::kInOrder, BitOrder::kImportantFirst}) {
        const Encoding encoding{64, 0, order};
        std::vector<std::uint64_t> by_bit(64);
        count_errors(groups * 5 * 8, encoding, channel, kStreams, 3, 0, by_bit);
        std::vector<double> expected(64);
        const BitLayout layout(5, 0, 64, 5, order);  // 5 words fill 64 axes; all fives are alike.
        for (std::uint64_t axis = 0; axis < layout.axes(); ++axis) {
            for (std::uint32_t position = 1; position <= 5; ++position) {
                PayloadBit at;
                if (layout.at(axis, position, at)) expected[at.bit] += channel.bit_error(position);
            }
        }
        for (double& each : expected) each *= groups;
        const ChiSquare test = chi_square(by_bit, expected);
        EXPECT_GT(test.probability, 1e-3) << test.statistic;
        EXPECT_LT(test.probability, 1 - 1e-3) << test.statistic;
    }
}

/// How many errors messages have: binomial, here by Poisson's law since errors are rare.
TEST(Spoil, ErrorsOfMessagesAreDistributedAsIndependentOnes) {
    const Channel channel = channel_of_errors("pam4", 1e-4);
    const Encoding encoding{64, 0, BitOrder::kInOrder};
    const std::uint64_t messages = 200'000;
    const double axes = 8192 * 8 / 2.0;
    const double mean = axes * channel.outside.all.rate();
    std::vector<std::uint64_t> seen(20);
    for (std::uint64_t message = 0; message < messages; ++message) {
        ErrorWalk walk(channel.outside.all, channel.inside.all, {}, kStreams.stream(message, 0),
                       8192 * 4);
        std::uint64_t errors = 0;
        for (AxisError error; walk.next(error);) ++errors;
        ++seen[std::min<std::uint64_t>(errors, seen.size() - 1)];
    }
    std::vector<double> expected(seen.size());
    double left = static_cast<double>(messages);
    for (std::size_t errors = 0; errors + 1 < seen.size(); ++errors) {
        expected[errors] = messages * std::exp(errors * std::log(mean) - mean -
                                               std::lgamma(static_cast<double>(errors) + 1));
        left -= expected[errors];
    }
    expected.back() = left;
    const ChiSquare test = chi_square(seen, expected);
    EXPECT_GT(test.probability, 1e-3) << test.statistic;
    EXPECT_EQ(count_errors(8192, encoding, channel, kStreams, 5, 0).under_protection, 0U);
}

/// Where levels are few and noise is strong, bits of an axis are wrong together.
TEST(Spoil, PatternsOfAnAxisAreThoseOfTheTransitions) {
    const AxisErrors axis(3, 0.4);
    const ErrorPatterns patterns(axis);
    ErrorWalk walk(patterns, patterns, {}, kStreams.stream(9), 1 << 20);
    std::vector<std::uint64_t> seen(8);
    std::uint64_t wrong = 0;
    for (AxisError error; walk.next(error); ++wrong) ++seen[error.pattern];
    seen[0] = (1 << 20) - wrong;
    std::vector<double> expected(8);
    for (std::uint32_t sent = 0; sent < 8; ++sent) {
        for (std::uint32_t decided = 0; decided < 8; ++decided) {
            expected[gray_of(sent) ^ gray_of(decided)] +=
                (1 << 17) * axis.transition(sent, decided);
        }
    }
    const ChiSquare test = chi_square(seen, expected);
    EXPECT_GT(test.probability, 1e-3) << test.statistic;
}

TEST(Spoil, ProtectedBitsStayRightWhereOthersDoNot) {
    const Channel channel = channel_of_errors("qam1024", 1e-5);
    const Encoding encoding{64, 16, BitOrder::kInOrder};
    const SpoiledBits errors = count_errors(1 << 30, encoding, channel, kStreams, 1, 0);
    EXPECT_EQ(errors.under_protection, 0U);
    // 0.8e9 axes of 48 of 64 bits, at about 1e-5 a bit: five standard deviations.
    const double expected = (1ULL << 30) * 6.0 * channel.bit_error();
    EXPECT_NEAR(static_cast<double>(errors.open), expected, 5 * std::sqrt(expected));
}

/// With so much noise that thinned symbols are wrong too, they are as often as their formula says.
TEST(Spoil, ProtectedBitsAreWrongAsOftenAsThinnedSymbolsAre) {
    const Channel channel = make_channel(kQam1024, ratio_of_db(26));
    const Encoding encoding{64, 64, BitOrder::kInOrder};
    const std::uint64_t bytes = 1 << 22;
    const SpoiledBits errors = count_errors(bytes, encoding, channel, kStreams, 1, 0);
    double rate = 0;
    for (std::uint32_t position = 1; position <= 4; ++position) {
        rate += channel.protected_bit_error(position) / 4;
    }
    const double expected = bytes * 8.0 * rate;
    EXPECT_GT(expected, 10'000);
    EXPECT_NEAR(static_cast<double>(errors.under_protection), expected, 5 * std::sqrt(expected));
    EXPECT_EQ(errors.open, 0U);
}

/// After h hops a bit is wrong if an odd number of them turned it round.
TEST(Spoil, ErrorsAddUpOverHops) {
    const Channel channel = channel_of_errors("qam16", 2e-2);
    const Encoding encoding{8, 0, BitOrder::kInOrder};
    const std::vector<std::byte> original = some_payload(1 << 18);
    std::vector<std::byte> payload = original;
    for (std::uint32_t hop = 0; hop < 6; ++hop) {
        spoil(payload, encoding, channel, kStreams, 21, hop);
        double wrong = 0;
        for (std::size_t i = 0; i < payload.size(); ++i) {
            wrong += __builtin_popcount(std::to_integer<unsigned>(payload[i] ^ original[i]));
        }
        double expected = 0;
        for (std::uint32_t position = 1; position <= 2; ++position) {
            const double once = channel.bit_error(position);
            expected += payload.size() * 4 * (1 - std::pow(1 - 2 * once, hop + 1)) / 2;
        }
        EXPECT_NEAR(wrong, expected, 5 * std::sqrt(expected)) << hop + 1 << " hops";
    }
}

TEST(Spoil, BurstsHaveTheirShareAndLength) {
    const Bursts bursts{0.1, 50, 0};  // Without any signal every second bit is wrong.
    const Channel channel = make_channel(*find_modulation("nrz"), ratio_of_db(40), bursts);
    EXPECT_NEAR(channel.bit_error(), 0.05, 1e-12);
    const std::uint64_t axes = 1 << 22;
    ErrorWalk walk(channel.outside.all, channel.inside.all, bursts, kStreams.stream(4), axes);
    std::uint64_t errors = 0;
    std::uint64_t neighbours = 0;
    std::uint64_t last = axes;
    for (AxisError error; walk.next(error); last = error.axis) {
        ++errors;
        if (error.axis == last + 1) ++neighbours;
    }
    // About 8400 bursts of 50 axes, spread like 50: 1.5 % of standard deviation.
    EXPECT_NEAR(static_cast<double>(errors) / axes, 0.05, 0.004);
    // After an error the burst goes on with 1 - 1/50, and half of its axes are wrong.
    EXPECT_NEAR(static_cast<double>(neighbours) / errors, 0.49 + 0.5 * bursts.enter() / 50, 0.005);
}

TEST(Spoil, TakesTimeForErrorsOnly) {
    const Channel channel = channel_of_errors("nrz", 1e-15);
    const Encoding encoding{64, 0, BitOrder::kInOrder};
    // 2^60 bytes would take years bit by bit.
    const double expected = std::exp2(63) * 1e-15;
    const SpoiledBits errors =
        count_errors(std::uint64_t{1} << 60, encoding, channel, kStreams, 1, 0);
    EXPECT_NEAR(static_cast<double>(errors.open), expected, 5 * std::sqrt(expected));
}

}  // namespace
}  // namespace kumi::network
