#include <algorithm>
#include <stdexcept>

#include "network/topology/link_list.hpp"
#include "network/topology/topology.hpp"

namespace kumi::network {
namespace {

constexpr std::uint32_t kNoLink = 0xFFFFFFFF;
constexpr std::uint32_t kMostSwitches = 1U << 16;

/// Any graph, given link by link. A message takes the path of the fewest links; of equal ones that
/// of the least latency, then the one whose last differing link, seen from the target, was given
/// first.
class Graph final : public Topology {
   public:
    explicit Graph(const TopologyParameters& parameters) {
        TopologyNumbers numbers(parameters);
        x_fabric.hosts = numbers.take("hosts", 1, kMostHosts);
        x_fabric.switches = numbers.take("switches", 0, kMostSwitches);
        const LinkList list(numbers);
        numbers.finish();
        list.connect(x_fabric, "graph", parameters.host_link.noise);
        x_incoming.resize(x_fabric.hosts + x_fabric.switches);
        x_outgoing.resize(x_incoming.size());
        x_trees.resize(x_fabric.hosts);
        for (LinkId id = 0; id < x_fabric.links.size(); ++id) {
            x_outgoing[x_fabric.links[id].source_vertex].push_back(id);
            x_incoming[x_fabric.links[id].target_vertex].push_back(id);
        }
    }

    FabricDescription describe() const override { return x_fabric; }

    std::uint32_t channels(RoutePolicy /*policy*/) const override {
        std::uint32_t longest = 2;
        for (HostId source = 0; source < x_fabric.hosts; ++source) {
            std::vector<std::uint32_t> distance(x_incoming.size(), kNoLink);
            reached_from(source, distance);
            for (HostId target = 0; target < x_fabric.hosts; ++target) {
                if (distance[target] != kNoLink) longest = std::max(longest, distance[target]);
            }
        }
        return longest - 1;
    }

    void route(HostId source, HostId target, std::vector<LinkId>& links) const override {
        std::vector<LinkId>& tree = x_trees[source];
        if (tree.empty()) tree = shortest_paths(source);
        links.clear();
        for (std::uint32_t vertex = target; vertex != source;) {
            const LinkId link = tree[vertex];
            if (link == kNoLink) {
                throw std::invalid_argument("topology graph: there is no path from " +
                                            vertex_name(x_fabric, source) + " to " +
                                            vertex_name(x_fabric, target));
            }
            links.push_back(link);
            vertex = x_fabric.links[link].source_vertex;
        }
        std::reverse(links.begin(), links.end());
    }

   private:
    /// The vertices that paths from `source` reach, nearest first, with their distance in links.
    std::vector<std::uint32_t> reached_from(HostId source,
                                            std::vector<std::uint32_t>& distance) const {
        std::vector<std::uint32_t> order{source};
        distance[source] = 0;
        for (std::size_t next = 0; next < order.size(); ++next) {
            const std::uint32_t vertex = order[next];
            // Hosts do not forward.
            if (vertex < x_fabric.hosts && vertex != source) continue;
            for (const LinkId link : x_outgoing[vertex]) {
                const std::uint32_t neighbour = x_fabric.links[link].target_vertex;
                if (distance[neighbour] != kNoLink) continue;
                distance[neighbour] = distance[vertex] + 1;
                order.push_back(neighbour);
            }
        }
        return order;
    }

    /// For each vertex the last link of its path from `source`; `kNoLink` if there is none.
    std::vector<LinkId> shortest_paths(HostId source) const {
        std::vector<std::uint32_t> distance(x_incoming.size(), kNoLink);
        const std::vector<std::uint32_t> order = reached_from(source, distance);
        std::vector<Duration> latency(x_incoming.size());
        std::vector<LinkId> last_link(x_incoming.size(), kNoLink);
        for (const std::uint32_t vertex : order) {
            for (const LinkId link : x_incoming[vertex]) {
                const std::uint32_t before = x_fabric.links[link].source_vertex;
                const bool forwards = before >= x_fabric.hosts || before == source;
                if (!forwards || distance[before] == kNoLink ||
                    distance[before] + 1 != distance[vertex]) {
                    continue;
                }
                const Duration total = latency[before] + x_fabric.links[link].latency;
                if (last_link[vertex] != kNoLink && total >= latency[vertex]) continue;
                last_link[vertex] = link;
                latency[vertex] = total;
            }
        }
        return last_link;
    }

    FabricDescription x_fabric;
    std::vector<std::vector<LinkId>> x_incoming;
    std::vector<std::vector<LinkId>> x_outgoing;
    /// By source host; empty until first asked for. Not for several threads.
    mutable std::vector<std::vector<LinkId>> x_trees;
};

KUMI_REGISTER(Topology, Graph, "graph", "Any graph, read from a file.");

}  // namespace
}  // namespace kumi::network
