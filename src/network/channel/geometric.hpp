#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/random/random_stream.hpp"

namespace kumi {

/// How many trials fail before the first that succeeds, each with that probability, by one draw:
/// the logarithm of a uniform number over that of a trial's failure. Largest number: never.
inline std::uint64_t draw_failures(RandomStream& random, double probability) {
    constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
    if (probability >= 1) return 0;
    if (probability <= 0) return kNever;
    // Between multiples of 2^-53, so that neither end is taken.
    const double uniform = random.uniform() + 0x1p-54;
    const double failures = std::log1p(-uniform) / std::log1p(-probability);
    return failures < 0x1p63 ? static_cast<std::uint64_t>(failures) : kNever;
}

}  // namespace kumi
