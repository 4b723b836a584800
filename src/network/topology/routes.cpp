#include <algorithm>
#include <stdexcept>

#include "network/topology/link_list.hpp"
#include "network/topology/topology.hpp"

namespace kumi {
namespace {

constexpr std::uint32_t kMostHostsWithRoutes = 2048;
constexpr std::uint32_t kMostVertices = 1U << 22;
constexpr std::size_t kMostSteps = std::size_t{1} << 28;

/// Links, and a path for each pair of hosts, given link by link. A link may begin and end at one
/// switch: it is then a medium that whatever is connected there shares, in both directions.
class Routes final : public Topology {
   public:
    explicit Routes(const TopologyParameters& parameters) {
        TopologyNumbers numbers(parameters);
        x_fabric.hosts = numbers.take("hosts", 1, kMostHostsWithRoutes);
        x_fabric.switches = numbers.take("switches", 0, kMostVertices);
        const LinkList list(numbers);
        x_begins = numbers.take_wide_list("path_begins", kMostSteps);
        x_links = numbers.take_wide_list("path_links", kMostSteps);
        numbers.finish();
        list.connect(x_fabric, "routes");
        check_paths();
    }

    FabricDescription describe() const override { return x_fabric; }

    std::uint32_t channels(RoutePolicy /*policy*/) const override {
        std::uint64_t longest = 2;
        for (std::size_t pair = 0; pair + 1 < x_begins.size(); ++pair) {
            longest = std::max(longest, x_begins[pair + 1] - x_begins[pair]);
        }
        return static_cast<std::uint32_t>(longest - 1);
    }

    void route(HostId source, HostId target, std::vector<LinkId>& links) const override {
        const std::size_t pair = pair_of(source, target);
        links.clear();
        for (std::uint64_t step = x_begins[pair]; step < x_begins[pair + 1]; ++step) {
            links.push_back(static_cast<LinkId>(x_links[step]));
        }
    }

   private:
    [[noreturn]] static void fail(const std::string& why) {
        throw std::invalid_argument("topology routes: " + why);
    }

    std::size_t pair_of(HostId source, HostId target) const {
        return std::size_t{source} * x_fabric.hosts + target;
    }

    void check_paths() const {
        const std::size_t pairs = std::size_t{x_fabric.hosts} * x_fabric.hosts;
        if (x_begins.size() != pairs + 1 || x_begins.front() != 0 ||
            x_begins.back() != x_links.size()) {
            fail(
                "path_begins must have hosts x hosts + 1 numbers, from 0 to the length of "
                "path_links");
        }
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            if (x_begins[pair] > x_begins[pair + 1]) fail("path_begins must not decrease");
        }
        for (const std::uint64_t link : x_links) {
            if (link >= x_fabric.links.size()) {
                fail("a path has the link " + std::to_string(link) + ", which is not there");
            }
        }
        for (HostId source = 0; source < x_fabric.hosts; ++source) {
            for (HostId target = 0; target < x_fabric.hosts; ++target) {
                if (source != target) check_path(source, target);
            }
        }
    }

    void check_path(HostId source, HostId target) const {
        const std::size_t pair = pair_of(source, target);
        std::uint32_t vertex = source;
        for (std::uint64_t step = x_begins[pair]; step < x_begins[pair + 1]; ++step) {
            const LinkDescription& link = x_fabric.links[x_links[step]];
            const bool is_first = step == x_begins[pair];
            if (link.source_vertex != vertex || (!is_first && vertex < x_fabric.hosts)) {
                vertex = kMostVertices * 2;
                break;
            }
            vertex = link.target_vertex;
        }
        if (vertex != target) {
            fail("the path from " + vertex_name(x_fabric, source) + " to " +
                 vertex_name(x_fabric, target) + " does not lead there over switches");
        }
    }

    FabricDescription x_fabric;
    std::vector<std::uint64_t> x_begins;  ///< By pair: the first of its links in `x_links`.
    std::vector<std::uint64_t> x_links;
};

KUMI_REGISTER(Topology, Routes, "routes", "Links, and a path for each pair of hosts.");

}  // namespace
}  // namespace kumi
