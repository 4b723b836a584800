#include "network/channel/geometric.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace kumi::network {
namespace {

/// The same by logarithms alone.
double failures_by_logarithms(RandomStream random, double probability) {
    const double uniform = random.uniform() + 0x1p-54;
    return std::floor(std::log1p(-uniform) / std::log1p(-probability));
}

RC_GTEST_PROP(DrawFailures, IsWhatTheLogarithmsSay, (std::uint64_t seed)) {
    const double probability = std::pow(10.0, -*rc::gen::inRange(0, 18));
    // Around the inverse of the probability, where either may be drawn.
    const double scale = std::pow(10.0, *rc::gen::inRange(-3, 4));
    const auto limit = static_cast<std::uint64_t>(std::min(1e18, scale / probability));
    const RandomStreams streams(seed, "test");
    for (std::uint32_t part = 0; part < 50; ++part) {
        RandomStream random = streams.stream(0, part);
        const std::uint64_t found = draw_failures(random, probability, limit);
        if (probability >= 1) {
            RC_ASSERT(found == 0U);
            continue;
        }
        const double expected = failures_by_logarithms(streams.stream(0, part), probability);
        RC_ASSERT(
            found ==
            (expected < static_cast<double>(limit) ? static_cast<std::uint64_t>(expected) : limit));
    }
}

TEST(DrawFailures, NothingFailsOrAllFail) {
    RandomStream random = RandomStreams(1, "test").stream();
    EXPECT_EQ(draw_failures(random, 1, 7), 0U);
    EXPECT_EQ(draw_failures(random, 0, 7), 7U);
    EXPECT_EQ(draw_failures(random, 0.5, 0), 0U);
}

}  // namespace
}  // namespace kumi::network
