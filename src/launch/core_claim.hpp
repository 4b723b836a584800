#pragma once

#include <string>

#include "launch/unique_fd.hpp"

namespace kumi {

/// A core of this machine for the ranks of one run, so that runs side by side take different ones.
///
/// A claim is an abstract socket's name: it leaves no file behind, and ends with its process.
class CoreClaim {
   public:
    /// Claims the highest core that the caller may use and nobody has claimed; if all are claimed,
    /// shares one. Only claims of one `domain` keep out of each other's way.
    explicit CoreClaim(const std::string& domain = "kumihimo");

    int core() const { return x_core; }

   private:
    int x_core = 0;
    UniqueFd x_socket;
};

}  // namespace kumi
