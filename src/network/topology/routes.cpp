#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "network/topology/link_list.hpp"
#include "network/topology/topology.hpp"

namespace kumi::network {
namespace {

constexpr std::uint32_t kMostKinds = 2048;
constexpr std::uint32_t kMostVertices = 1U << 22;
constexpr std::size_t kMostSteps = std::size_t{1} << 28;

[[noreturn]] void fail(const std::string& why) {
    throw std::invalid_argument("topology routes: " + why);
}

/// Throws std::invalid_argument if a number is not below `end`.
void check_links(std::span<const std::uint64_t> list, std::size_t end) {
    for (const std::uint64_t link : list) {
        if (link < end) continue;
        fail("a path has the link " + std::to_string(link) + ", which is not there");
    }
}

/// The numbers `<name>_begins` and `<name>_links`: lists of links, one behind the other.
class LinkLists {
   public:
    LinkLists(TopologyNumbers& numbers, const std::string& name, std::size_t lists)
        : x_begins(numbers.take_wide_list(name + "_begins", kMostSteps)),
          x_links(numbers.take_wide_list(name + "_links", kMostSteps)) {
        if (x_begins.size() != lists + 1 || x_begins.front() != 0 ||
            x_begins.back() != x_links.size()) {
            fail(name + "_begins must have " + std::to_string(lists + 1) +
                 " numbers, from 0 to the length of " + name + "_links");
        }
        if (!std::is_sorted(x_begins.begin(), x_begins.end())) {
            fail(name + "_begins must not decrease");
        }
    }

    std::span<const std::uint64_t> operator[](std::size_t list) const {
        return {x_links.data() + x_begins[list], x_links.data() + x_begins[list + 1]};
    }
    std::size_t length(std::size_t list) const { return x_begins[list + 1] - x_begins[list]; }

   private:
    std::vector<std::uint64_t> x_begins;
    std::vector<std::uint64_t> x_links;
};

/// Links, and paths given link by link: each is one up from a host, one between two kinds of hosts,
/// and one down to a host. Hosts of one kind are attached to the same switch; one that is like no
/// other may be a kind of its own, whose paths are all between kinds. A number behind those of
/// links is that of a pipe, which has a link for each host that sends over it. The number behind
/// those of pipes, alone, says that two kinds are not connected. A link may begin and end at one
/// switch: it is then a medium that whatever is connected there shares, in both directions.
class Routes final : public Topology {
   public:
    explicit Routes(const TopologyParameters& parameters) : Routes(TopologyNumbers(parameters)) {}

    FabricDescription describe() const override { return x_fabric; }

    std::uint32_t channels(RoutePolicy /*policy*/) const override {
        std::size_t longest_up = 0, longest_down = 0, longest = 0;
        for (HostId host = 0; host < x_fabric.hosts; ++host) {
            longest_up = std::max(longest_up, x_up.length(host));
            longest_down = std::max(longest_down, x_down.length(host));
        }
        for (std::size_t pair = 0; pair < std::size_t{x_kind_count} * x_kind_count; ++pair) {
            longest = std::max(longest, x_between.length(pair));
        }
        return static_cast<std::uint32_t>(
            std::max<std::size_t>(2, longest_up + longest + longest_down) - 1);
    }

    void route(HostId source, HostId target, std::vector<LinkId>& links) const override {
        links.clear();
        const auto between = x_between[pair_of(x_kinds[source], x_kinds[target])];
        if (is_gap(between)) return;
        append(x_up[source], source, links);
        append(between, source, links);
        append(x_down[target], source, links);
    }

   private:
    explicit Routes(TopologyNumbers&& numbers)
        : x_fabric(take_fabric(numbers)),
          x_kinds(take_kinds(numbers)),
          x_kind_count(*std::max_element(x_kinds.begin(), x_kinds.end()) + 1),
          x_up(numbers, "up", x_fabric.hosts),
          x_down(numbers, "down", x_fabric.hosts),
          x_between(numbers, "path", std::size_t{x_kind_count} * x_kind_count),
          x_pipes(numbers.take_wide_list("pipes", kMostVertices)) {
        numbers.finish();
        check();
    }

    static FabricDescription take_fabric(TopologyNumbers& numbers) {
        FabricDescription fabric;
        fabric.hosts = numbers.take("hosts", 1, kMostHostsByFormula);
        fabric.switches = numbers.take("switches", 0, kMostVertices);
        LinkList(numbers).connect(fabric, "routes");
        return fabric;
    }

    std::vector<std::uint32_t> take_kinds(TopologyNumbers& numbers) const {
        const auto& kinds = numbers.take_wide_list("kinds", kMostHostsByFormula);
        if (kinds.size() != x_fabric.hosts) fail("kinds must have a number for each host");
        for (const std::uint64_t kind : kinds) {
            if (kind < kMostKinds) continue;
            fail("there must be at most " + std::to_string(kMostKinds) + " kinds of hosts");
        }
        return {kinds.begin(), kinds.end()};
    }

    std::size_t pair_of(std::uint32_t source_kind, std::uint32_t target_kind) const {
        return std::size_t{source_kind} * x_kind_count + target_kind;
    }

    bool is_gap(std::span<const std::uint64_t> between) const {
        return between.size() == 1 && between.front() == x_fabric.links.size() + x_pipes.size();
    }

    void append(std::span<const std::uint64_t> list, HostId source,
                std::vector<LinkId>& links) const {
        for (const std::uint64_t link : list) {
            const std::size_t fixed = x_fabric.links.size();
            links.push_back(
                static_cast<LinkId>(link < fixed ? link : x_pipes[link - fixed] + source));
        }
    }

    void check() const {
        const std::size_t fixed = x_fabric.links.size();
        for (HostId host = 0; host < x_fabric.hosts; ++host) {
            check_links(x_up[host], fixed);
            check_links(x_down[host], fixed);
        }
        for (std::size_t pair = 0; pair < std::size_t{x_kind_count} * x_kind_count; ++pair) {
            if (!is_gap(x_between[pair])) check_links(x_between[pair], fixed + x_pipes.size());
        }
        for (const std::uint64_t first : x_pipes) {
            if (first > fixed || fixed - first < x_fabric.hosts) fail("a pipe lacks links");
            const auto is_like_first = [&](const LinkDescription& link) {
                return link.source_vertex == x_fabric.links[first].source_vertex &&
                       link.target_vertex == x_fabric.links[first].target_vertex;
            };
            const auto begin = x_fabric.links.begin() + static_cast<std::ptrdiff_t>(first);
            if (!std::all_of(begin, begin + x_fabric.hosts, is_like_first)) {
                fail("the links of a pipe must begin and end where its first one does");
            }
        }
        // Of a kind that all paths of the first host lead somewhere says it for the others, if they
        // begin and end where its own do.
        std::vector<HostId> first(x_kind_count, x_fabric.hosts);
        std::vector<HostId> second(x_kind_count, x_fabric.hosts);
        for (HostId host = 0; host < x_fabric.hosts; ++host) {
            HostId& of_kind = first[x_kinds[host]];
            HostId& other = second[x_kinds[host]];
            if (of_kind == x_fabric.hosts) {
                of_kind = host;
            } else if (other == x_fabric.hosts) {
                other = host;
            }
            check_attachment(host, of_kind);
        }
        std::vector<LinkId> links;
        for (const HostId source : first) {
            for (std::uint32_t kind = 0; kind < x_kind_count; ++kind) {
                const HostId target = first[kind] == source ? second[kind] : first[kind];
                const bool has_both = source < x_fabric.hosts && target < x_fabric.hosts;
                if (has_both) check_path(source, target, links);
            }
        }
    }

    /// A host like another one is attached to the same switch.
    void check_attachment(HostId host, HostId like) const {
        if (host == like) return;
        const auto end_up = [this](HostId of) {
            return x_up.length(of) == 0 ? of : x_fabric.links[x_up[of].back()].target_vertex;
        };
        const auto begin_down = [this](HostId of) {
            return x_down.length(of) == 0 ? of : x_fabric.links[x_down[of].front()].source_vertex;
        };
        if (end_up(host) != end_up(like) || begin_down(host) != begin_down(like) ||
            !leads(x_up[host], host, end_up(like)) ||
            !leads(x_down[host], begin_down(like), host)) {
            fail(vertex_name(x_fabric, host) + " is not attached where " +
                 vertex_name(x_fabric, like) + " is, which is of its kind");
        }
    }

    /// Whether links, one after the other, lead over switches from one vertex to another.
    bool leads(const auto& list, std::uint32_t from, std::uint32_t to) const {
        for (std::size_t step = 0; step < list.size(); ++step) {
            const LinkDescription& link = x_fabric.links[list[step]];
            if (link.source_vertex != from || (step > 0 && from < x_fabric.hosts)) return false;
            from = link.target_vertex;
        }
        return from == to;
    }

    void check_path(HostId source, HostId target, std::vector<LinkId>& links) const {
        if (is_gap(x_between[pair_of(x_kinds[source], x_kinds[target])])) return;
        route(source, target, links);
        if (!leads(links, source, target)) {
            fail("the path from " + vertex_name(x_fabric, source) + " to " +
                 vertex_name(x_fabric, target) + " does not lead there over switches");
        }
    }

    FabricDescription x_fabric;
    std::vector<std::uint32_t> x_kinds;  ///< Of each host.
    std::uint32_t x_kind_count;
    LinkLists x_up;       ///< Of each host.
    LinkLists x_down;     ///< Of each host.
    LinkLists x_between;  ///< Of each pair of kinds; within a kind, of two different hosts.
    std::vector<std::uint64_t> x_pipes;  ///< The first link of each, which is that of host 0.
};

KUMI_REGISTER(Topology, Routes, "routes", "Links, and the paths between kinds of hosts.");

}  // namespace
}  // namespace kumi::network
