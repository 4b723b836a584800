// Random numbers by name: independent of order, without bias, the same everywhere.

#include "base/random/random_stream.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <vector>

namespace kumi::inline base {
namespace {

TEST(RandomStream, AStreamIsTheSameWhateverElseIsDrawn) {
    RandomStream alone = RandomStreams(7, "test").of(3).stream(5, 2);
    RandomStream other = RandomStreams(7, "test").of(3).stream(5, 1);
    RandomStream among = RandomStreams(7, "test").of(3).stream(5, 2);
    for (int draw = 0; draw < 100; ++draw) {
        other.bits();
        EXPECT_EQ(alone.bits(), among.bits());
    }
}

TEST(RandomStream, EachPartOfTheNameMakesAnotherStream) {
    constexpr std::uint64_t kLarge = std::uint64_t{1} << 32;
    std::set<std::uint64_t> first;
    std::size_t streams = 0;
    const auto take = [&](RandomStream stream) {
        first.insert(stream.bits());
        ++streams;
    };
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, kLarge}) {
        for (const char* name : {"", "a", "b", "ab", "ba"}) {
            const RandomStreams streams_of_name(seed, name);
            for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1}, kLarge}) {
                take(streams_of_name.stream(number));
                for (const std::uint32_t part : {0U, 1U, 2U}) {
                    take(streams_of_name.of(number).stream(number, part));
                    take(streams_of_name.of(number).of(number).stream(number, part));
                }
            }
        }
    }
    EXPECT_EQ(first.size(), streams);
}

/// Computed by another program. A change of them changes the results of every run that draws.
TEST(RandomStream, TheNumbersStay) {
    RandomStream stream = RandomStreams(1, "test").of(2).stream(3, 4);
    std::vector<std::uint64_t> numbers;
    for (int draw = 0; draw < 4; ++draw) numbers.push_back(stream.bits());
    EXPECT_EQ(numbers, (std::vector<std::uint64_t>{4036993981622401121U, 12172363939841424523U,
                                                   15762086524232858367U, 11580489711236681605U}));
}

TEST(RandomStream, NumbersBelowALimitAreEquallyLikely) {
    RandomStream stream = RandomStreams(0, "test").stream();
    constexpr std::uint64_t kLimit = 7;
    constexpr double kDraws = 70'000;
    std::array<double, kLimit> counts{};
    for (int draw = 0; draw < kDraws; ++draw) ++counts.at(stream.below(kLimit));
    double chi_squared = 0;
    for (const double count : counts) {
        const double expected = kDraws / kLimit;
        chi_squared += (count - expected) * (count - expected) / expected;
    }
    EXPECT_LT(chi_squared, 22.5);  // Exceeded once in a thousand times with six degrees of freedom.
}

/// Of three quarters of 2^64 a remainder would give the first third twice as often.
TEST(RandomStream, LargeLimitsHaveNoBias) {
    RandomStream stream = RandomStreams(0, "test").stream();
    constexpr std::uint64_t kLimit = std::uint64_t{3} << 62;
    int in_first_third = 0;
    for (int draw = 0; draw < 30'000; ++draw) {
        const std::uint64_t number = stream.below(kLimit);
        ASSERT_LT(number, kLimit);
        if (number < kLimit / 3) ++in_first_third;
    }
    EXPECT_NEAR(in_first_third, 10'000, 4 * 82);  // Standard deviations.
}

TEST(RandomStream, BelowOneThereIsZero) {
    RandomStream stream = RandomStreams(0, "test").stream();
    for (int draw = 0; draw < 10; ++draw) EXPECT_EQ(stream.below(1), 0U);
}

TEST(RandomStreamDeathTest, NothingIsBelowZero) {
    RandomStream stream = RandomStreams(0, "test").stream();
    EXPECT_DEATH(stream.below(0), "no number below 0");
}

TEST(RandomStream, UniformNumbersHaveMeanAndVariance) {
    RandomStream stream = RandomStreams(0, "test").stream();
    constexpr int kDraws = 100'000;
    double sum = 0;
    double squares = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
        const double number = stream.uniform();
        ASSERT_GE(number, 0.0);
        ASSERT_LT(number, 1.0);
        sum += number;
        squares += number * number;
    }
    const double mean = sum / kDraws;
    EXPECT_NEAR(mean, 0.5, 4 * 0.000913);
    EXPECT_NEAR(squares / kDraws - mean * mean, 1.0 / 12, 4 * 0.000236);
}

TEST(RandomStream, EveryOrderIsEquallyLikely) {
    std::map<std::vector<int>, int> orders;
    constexpr int kShuffles = 24'000;
    for (std::uint64_t shuffle = 0; shuffle < kShuffles; ++shuffle) {
        std::vector<int> items{0, 1, 2, 3};
        RandomStreams(0, "test").stream(shuffle).shuffle(std::span(items));
        ++orders[items];
    }
    EXPECT_EQ(orders.size(), 24U);
    for (const auto& [order, count] : orders) EXPECT_NEAR(count, 1000, 5 * 31);
}

}  // namespace
}  // namespace kumi::inline base
