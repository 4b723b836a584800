#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "mpi/run_link.hpp"

namespace kumi::mpi::profile {

/// The places at which a rank calls MPI: their numbers in its sums, and what else is known of them.
class CallSites {
   public:
    /// A call of `function`, a literal of the shim whose address distinguishes functions, is about
    /// to return to `caller`. `members` has the communicator that it names; 0 if it names none.
    /// Returns the place's number.
    std::uint32_t note(const void* caller, const char* function, std::uint32_t members);

    /// One line for each site, in order of their addresses, its fields separated by tabs: function,
    /// path of the program or library that calls, where in that (hexadecimal), calls; least, most
    /// and sum of the distances, the sum of their squares as two 64-bit halves, their numbers by
    /// bit width; time inside, messages, bytes, targets; members of the smallest and of the largest
    /// communicator that was named, 0 if none was. Lists are separated by commas.
    void write(std::FILE* file, const conductor::CallSums& sums) const;

   private:
    struct Site {
        std::uint32_t number = 0;
        std::string module;
        std::uint64_t offset = 0;
        std::uint32_t least_members = 0;  ///< 0 until a communicator is named.
        std::uint32_t most_members = 0;
    };

    std::map<std::pair<const void*, const char*>, Site> x_sites;
};

}  // namespace kumi::mpi::profile
