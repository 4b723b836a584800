#pragma once

#include <vector>

#include "network/fabric.hpp"

namespace kumi::network {

/// Decides which links messages take. Lives in the process that builds the network, never in the
/// simulation's arena: a network copies what it needs when it is created.
class Routing {
   public:
    virtual ~Routing() = default;

    /// Replaces `links` by the path from one host to another host, in order; by nothing if there is
    /// none. The same pair always takes the same path, so that messages of a pair cannot overtake
    /// each other.
    virtual void route(HostId source, HostId target, std::vector<LinkId>& links) const = 0;
};

}  // namespace kumi::network
