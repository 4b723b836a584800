#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/memory/arena.hpp"
#include "network/fabric.hpp"
#include "network/routing/routing.hpp"

namespace kumi::network {

/// The links that a message takes, in order; none between hosts that are not connected. They
/// outlive every message if a table gave them.
struct Path {
    const LinkId* links = nullptr;
    std::uint32_t length = 0;
};

inline constexpr std::size_t kLongestPath = 0xFFFF;

/// A message's own note of its path: short paths are copied, because every hop reads them and the
/// table of a large network is in no cache.
class TransitPath {
   public:
    TransitPath() = default;
    explicit TransitPath(const Path& path) : x_length(static_cast<std::uint16_t>(path.length)) {
        if (is_copied()) {
            for (std::uint32_t hop = 0; hop < path.length; ++hop) x_links[hop] = path.links[hop];
        } else {
            std::memcpy(x_links, &path.links, sizeof(path.links));
        }
    }

    /// Copies also a path that is too long to lie in here, into a block of the arena that
    /// `release_copy` gives back.
    static TransitPath copy_of(const Path& path, Arena& arena) {
        if (path.length <= kCopied) return TransitPath(path);
        return TransitPath(Path{arena.copy_of(std::span(path.links, path.length)), path.length});
    }
    /// One that lasts longer than what this one refers to.
    TransitPath copy(Arena& arena) const {
        return is_copied() ? *this : copy_of(Path{elsewhere(), length()}, arena);
    }
    /// Of what `copy_of` made.
    void release_copy(Arena& arena) {
        if (is_copied()) return;
        arena.release(const_cast<LinkId*>(elsewhere()), length() * sizeof(LinkId));
    }

    std::uint32_t length() const { return x_length; }
    LinkId operator[](std::uint32_t hop) const {
        return is_copied() ? x_links[hop] : elsewhere()[hop];
    }

   private:
    static constexpr std::uint32_t kCopied = 6;

    bool is_copied() const { return x_length <= kCopied; }
    const LinkId* elsewhere() const {
        const LinkId* links = nullptr;
        std::memcpy(&links, x_links, sizeof(links));
        return links;
    }

    LinkId x_links[kCopied] = {};  ///< Or where they are.
    std::uint16_t x_length = 0;
};

/// The paths between hosts, all or those that are used, as compressed sparse rows in an arena:
/// O(used hosts^2 x path length) memory. A host's path to itself is its loopback, whose id is the
/// number of the fabric's links + host.
class RouteTable {
   public:
    /// For more used hosts than these a table would fill the memory.
    static constexpr std::uint32_t kMostHosts = 4096;

    /// Without any path.
    RouteTable() = default;
    /// Asks `routing` for all paths between the hosts in `used`, each of which is there once; none
    /// means all hosts. Throws std::invalid_argument unless each path is a walk from its source to
    /// its target through switches only, or if there are too many hosts.
    RouteTable(Arena& arena, const FabricDescription& fabric, const Routing& routing,
               std::span<const HostId> used = {});

    /// None to or from hosts that are not used.
    Path path(HostId source, HostId target) const {
        if (source == target) return {x_loopbacks + source, 1};
        const std::uint32_t row = x_places[source], column = x_places[target];
        if (row == kUnused || column == kUnused) return {};
        const std::uint64_t pair = std::uint64_t{row} * x_used + column;
        const std::uint32_t begin = x_begin[pair];
        return {x_links + begin, x_begin[pair + 1] - begin};
    }
    /// The hosts that are used, in their order.
    std::span<const HostId> used() const { return {x_hosts, x_used}; }

   private:
    static constexpr std::uint32_t kUnused = 0xFFFFFFFF;

    std::uint32_t x_used = 0;
    HostId* x_hosts = nullptr;          ///< The used ones.
    std::uint32_t* x_places = nullptr;  ///< Of each host its place among them.
    std::uint32_t* x_begin = nullptr;   ///< used^2 + 1 entries.
    LinkId* x_links = nullptr;
    LinkId* x_loopbacks = nullptr;  ///< Of each host.
};

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
