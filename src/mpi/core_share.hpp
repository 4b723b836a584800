#pragma once

#include <algorithm>
#include <cstdint>

#include "base/time/time.hpp"

namespace kumi::mpi {

/// The cores of a host, of which each of its ranks has an equal share for its threads.
struct CoreShare {
    std::uint32_t cores = 1;
    std::uint32_t ranks = 1;  ///< No more than cores.

    /// How long threads compute at least that are together at the beginning and at the end: as long
    /// as the `longest` of them, and as long as the cores need for the `sum`.
    constexpr Duration least_time(Duration longest, Duration sum) const {
        return std::max(longest, Duration{scaled(sum, ranks, cores)});
    }
    /// What the cores can compute meanwhile.
    constexpr Duration capacity(Duration span) const { return scaled(span, cores, ranks); }
};

}  // namespace kumi::mpi
