#pragma once

#include <vector>

#include "network/routing/route_table.hpp"

namespace kumi::network {

/// Asks a routing for the path of one message at a time, where a table of all paths would not fit.
/// Lives in ordinary memory, and so serves networks that stay in one process.
class PathFinder {
   public:
    /// `routing` must outlive it.
    PathFinder(const FabricDescription& fabric, const Routing& routing)
        : x_routing(&routing), x_first_loopback(static_cast<LinkId>(fabric.links.size())) {}

    /// The links hold until the next call. O(path length), if the routing has a formula.
    Path path(HostId source, HostId target) {
        if (source == target) {
            x_links.assign(1, x_first_loopback + source);
        } else {
            x_routing->route(source, target, x_links);
        }
        KUMI_ASSERT(x_links.size() <= kLongestPath, "a path has too many links");
        return {x_links.data(), static_cast<std::uint32_t>(x_links.size())};
    }

   private:
    const Routing* x_routing;
    LinkId x_first_loopback;
    std::vector<LinkId> x_links;
};

}  // namespace kumi::network
