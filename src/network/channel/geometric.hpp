#pragma once

#include <cmath>
#include <cstdint>

#include "base/random/random_stream.hpp"

namespace kumi::network {

/// How many trials fail before the first that succeeds, each with that probability, by one draw:
/// the logarithm of a uniform number over that of a trial's failure. `limit` if it is as many or
/// more; then the logarithms are mostly spared.
inline std::uint64_t draw_failures(RandomStream& random, double probability, std::uint64_t limit) {
    if (probability >= 1) return 0;
    if (probability <= 0) return limit;
    // Between multiples of 2^-53, so that neither end is taken.
    const double uniform = random.uniform() + 0x1p-54;
    // By Bernoulli's inequality `limit` trials fail with 1 - limit * probability at least. What
    // rounding may change is left to the logarithms.
    constexpr double kMargin = 1 + 1e-9;
    if (uniform > static_cast<double>(limit) * probability * kMargin) return limit;
    const double failures = std::log1p(-uniform) / std::log1p(-probability);
    return failures < static_cast<double>(limit) ? static_cast<std::uint64_t>(failures) : limit;
}

}  // namespace kumi::network
