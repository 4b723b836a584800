#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "launch/unique_fd.hpp"

namespace kumi::launch {

/// Cores of this computer for the ranks of one run, so that runs side by side take different ones.
///
/// A claim is the names of abstract sockets: it leaves no file behind, and ends with its process.
class CoreClaim {
   public:
    /// Claims `wish` of the cores that the caller may use, the highest first: those that are not
    /// claimed, then those of others, with which it shares them. `wish` 0: all that are not
    /// claimed, at least one. Only claims of one `domain` keep out of each other's way.
    explicit CoreClaim(std::size_t wish = 1, const std::string& domain = "kumihimo");

    /// At least one, as the system numbers them.
    const std::vector<int>& cores() const { return x_cores; }

   private:
    std::vector<int> x_cores;
    std::vector<UniqueFd> x_sockets;
};

}  // namespace kumi::launch
