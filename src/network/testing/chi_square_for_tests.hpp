#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kumi::network {

/// How well counts agree with what is expected of them.
struct ChiSquare {
    double statistic = 0;
    double degrees = 0;
    /// That counts drawn as expected differ so much or more; by the normal approximation of the
    /// statistic's cube root (Wilson, Hilferty).
    double probability = 0;
};

/// Places with less than 5 expected are taken together with the next.
inline ChiSquare chi_square(const std::vector<std::uint64_t>& seen,
                            const std::vector<double>& expected) {
    ChiSquare test{.degrees = -1};
    double seen_here = 0;
    double expected_here = 0;
    for (std::size_t place = 0; place < seen.size(); ++place) {
        seen_here += static_cast<double>(seen[place]);
        expected_here += expected[place];
        if (expected_here < 5) continue;
        test.statistic += (seen_here - expected_here) * (seen_here - expected_here) / expected_here;
        test.degrees += 1;
        seen_here = expected_here = 0;
    }
    EXPECT_GT(test.degrees, 0) << "nothing is expected";
    const double spread = 2 / (9 * test.degrees);
    const double normal =
        (std::cbrt(test.statistic / test.degrees) - (1 - spread)) / std::sqrt(spread);
    test.probability = std::erfc(normal / std::sqrt(2)) / 2;
    return test;
}

}  // namespace kumi::network
