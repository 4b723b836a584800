#include "network/routing/route_table.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace kumi::network {
namespace {

[[noreturn]] void fail(const FabricDescription& fabric, HostId source, HostId target,
                       const std::string& why) {
    throw std::invalid_argument("the path from " + vertex_name(fabric, source) + " to " +
                                vertex_name(fabric, target) + " " + why);
}

void check_path(const FabricDescription& fabric, HostId source, HostId target,
                const std::vector<LinkId>& path) {
    if (path.empty()) return;  // There is none.
    if (path.size() > kLongestPath) fail(fabric, source, target, "has more than 65535 links");
    std::uint32_t vertex = source;
    for (std::size_t hop = 0; hop < path.size(); ++hop) {
        if (path[hop] >= fabric.links.size()) fail(fabric, source, target, "uses a missing link");
        const LinkDescription& link = fabric.links[path[hop]];
        if (link.source_vertex != vertex) fail(fabric, source, target, "is not connected");
        vertex = link.target_vertex;
        const bool is_last = hop + 1 == path.size();
        if (!is_last && vertex < fabric.hosts) fail(fabric, source, target, "crosses a host");
    }
    if (vertex != target) fail(fabric, source, target, "ends elsewhere");
}

}  // namespace

RouteTable::RouteTable(Arena& arena, const FabricDescription& fabric, const Routing& routing,
                       std::span<const HostId> used)
    : x_used(used.empty() ? fabric.hosts : static_cast<std::uint32_t>(used.size())) {
    if (x_used > kMostHosts) {
        throw std::invalid_argument("the table of all paths has room for " +
                                    std::to_string(kMostHosts) + " hosts, not for " +
                                    std::to_string(x_used));
    }
    x_hosts = arena.make_array<HostId>(x_used);
    if (used.empty())
        std::iota(x_hosts, x_hosts + x_used, HostId{0});
    else
        std::ranges::copy(used, x_hosts);
    std::sort(x_hosts, x_hosts + x_used);
    x_places = arena.make_array<std::uint32_t>(fabric.hosts);
    std::fill_n(x_places, fabric.hosts, kUnused);
    for (std::uint32_t place = 0; place < x_used; ++place) x_places[x_hosts[place]] = place;
    x_loopbacks = arena.make_array<LinkId>(fabric.hosts);
    std::iota(x_loopbacks, x_loopbacks + fabric.hosts, static_cast<LinkId>(fabric.links.size()));

    x_begin = arena.make_array<std::uint32_t>(std::size_t{x_used} * x_used + 1);
    std::vector<LinkId> all;
    std::vector<LinkId> path;
    std::size_t pair = 0;
    for (const HostId source : this->used()) {
        for (const HostId target : this->used()) {
            path.clear();
            if (source != target) {
                routing.route(source, target, path);
                check_path(fabric, source, target, path);
            }
            all.insert(all.end(), path.begin(), path.end());
            if (all.size() > std::numeric_limits<std::uint32_t>::max()) {
                throw std::invalid_argument("the paths of this network do not fit into a table");
            }
            x_begin[++pair] = static_cast<std::uint32_t>(all.size());
        }
    }
    x_links = arena.copy_of<LinkId>(all);
}

}  // namespace kumi::network
