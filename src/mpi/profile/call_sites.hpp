#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "base/time/time.hpp"
#include "mpi/run_link.hpp"

namespace kumi::mpi::profile {

/// One MPI call of a rank that has ended.
struct EndedCall {
    const void* caller = nullptr;  ///< Where it returns to.
    const char* function = "";     ///< A literal of the shim: its address distinguishes functions.
    Duration distance{};           ///< Since the rank's communication before ended.
    Duration inside{};
    std::uint32_t members = 0;  ///< Of the communicator that the call names; 0 if it names none.
    std::span<const conductor::SentMessage> sent{};
};

/// What a rank has done at each place that calls MPI. All numbers are exact.
class CallSites {
   public:
    void add(const EndedCall& call);

    /// One line for each site, in order of their addresses, its fields separated by tabs: function,
    /// path of the program or library that calls, where in that (hexadecimal), calls; least, most
    /// and sum of the distances, the sum of their squares as two 64-bit halves, their numbers by
    /// bit width; time inside, messages, bytes, targets; members of the smallest and of the largest
    /// communicator that was named, 0 if none was. Lists are separated by commas.
    void write(std::FILE* file) const;

   private:
    /// Distances by the number of their bits: entry i counts those below 2^i and not below 2^(i-1).
    using Bins = std::array<std::uint64_t, 64>;

    struct Site {
        std::string module;
        std::uint64_t offset = 0;
        std::uint64_t calls = 0;
        std::int64_t least_ps = std::numeric_limits<std::int64_t>::max();
        std::int64_t most_ps = 0;
        std::int64_t sum_ps = 0;
        std::uint64_t squares_high = 0;  ///< In ps^2, of 128 bits.
        std::uint64_t squares_low = 0;
        Bins bins{};
        std::int64_t inside_ps = 0;
        std::uint64_t messages = 0;
        std::uint64_t bytes = 0;
        std::set<std::uint32_t> targets;
        std::uint32_t least_members = 0;  ///< 0 until a communicator is named.
        std::uint32_t most_members = 0;
    };

    static void write_site(std::FILE* file, const char* function, const Site& site);

    std::map<std::pair<const void*, const char*>, Site> x_sites;
};

}  // namespace kumi::mpi::profile
