#pragma once

#include <cstdint>

#include "base/arena.hpp"
#include "network/fabric.hpp"
#include "network/routing/routing.hpp"

namespace kumi {

/// The links that a message takes, in order; they outlive every message.
struct Path {
    const LinkId* links = nullptr;
    std::uint32_t length = 0;
};

/// All paths between hosts, as compressed sparse rows in an arena: O(hosts^2 x path length) memory.
/// A host's path to itself is its loopback, whose id is the number of the fabric's links + host.
class RouteTable {
   public:
    /// Asks `routing` for all paths. Throws std::invalid_argument unless each is a walk from its
    /// source to its target through switches only.
    RouteTable(Arena& arena, const FabricDescription& fabric, const Routing& routing);

    Path path(HostId source, HostId target) const {
        const std::uint64_t pair = std::uint64_t{source} * x_hosts + target;
        const std::uint32_t begin = x_begin[pair];
        return {x_links + begin, x_begin[pair + 1] - begin};
    }

   private:
    std::uint32_t x_hosts = 0;
    std::uint32_t* x_begin = nullptr;  ///< hosts^2 + 1 entries.
    LinkId* x_links = nullptr;
};

}  // namespace kumi
