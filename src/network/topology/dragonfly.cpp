#include <stdexcept>

#include "network/topology/topology.hpp"

namespace kumi::network {
namespace {

constexpr ChannelRule kGlobalRule{0, 1};

/// Groups of switches that are all connected to each other; each two groups are connected too, by
/// global cables [Kim08].
///
/// Global ports of a group are numbered switch by switch. Their arrangement is the absolute (or
/// consecutive) one [Hastings15]: port q of group i leads to group q if q < i, else to group q + 1.
/// If ports are left over, this is repeated as long as they reach every other group once more; what
/// is left after that has no cable.
///
/// Routing is minimal. Every global cable leads into the next virtual channel, so that a path never
/// comes back to a channel of local links that it has left [Kim08].
class Dragonfly final : public Topology {
   public:
    explicit Dragonfly(const TopologyParameters& parameters)
        : x_link(parameters.host_link),
          x_local(parameters.switch_link(0, 2)),
          x_global(parameters.switch_link(1, 2)) {
        TopologyNumbers numbers(parameters);
        x_shape.groups = numbers.take("groups", 1, kMostHostsByFormula);
        x_shape.group_switches = numbers.take("switches_per_group", 1, kMostHosts);
        x_shape.switch_ports = numbers.take("global_links_per_switch", 0, kMostHosts);
        x_shape.switch_hosts = numbers.take("hosts_per_switch", 1, kMostHosts);
        numbers.finish();
        const std::string what = "topology dragonfly: ";
        const std::uint32_t ports = x_shape.group_switches * x_shape.switch_ports;
        if (x_shape.groups > ports + 1) {
            throw std::invalid_argument(
                what +
                "groups must be at most switches_per_group x global_links_per_switch + 1 = " +
                std::to_string(ports + 1) + ", not " + std::to_string(x_shape.groups));
        }
        x_hosts = checked_product({x_shape.groups, x_shape.group_switches, x_shape.switch_hosts},
                                  kMostHostsByFormula, what + "the number of hosts");
        x_shape.rounds = x_shape.groups > 1 ? ports / (x_shape.groups - 1) : 0;
        const std::uint64_t local =
            std::uint64_t{x_shape.groups} * DragonflyShape::pairs(x_shape.group_switches);
        const std::uint64_t links =
            2 * (x_hosts + local + DragonflyShape::pairs(x_shape.groups) * x_shape.rounds);
        check_link_count(links, what + "the number of links");
        x_shape.first_local = 2 * x_hosts;
        x_shape.first_global = x_shape.first_local + static_cast<LinkId>(2 * local);
    }

    FabricDescription describe() const override {
        FabricDescription fabric;
        fabric.dragonfly = x_shape;
        fabric.hosts = x_hosts;
        fabric.switches = x_shape.groups * x_shape.group_switches;
        for (HostId host = 0; host < x_hosts; ++host) {
            connect(fabric, host, x_hosts + host / x_shape.switch_hosts, x_link);
        }
        for (std::uint32_t group = 0; group < x_shape.groups; ++group) {
            const std::uint32_t first = x_hosts + group * x_shape.group_switches;
            for (std::uint32_t lower = 0; lower < x_shape.group_switches; ++lower) {
                for (std::uint32_t upper = lower + 1; upper < x_shape.group_switches; ++upper) {
                    connect(fabric, first + lower, first + upper, x_local);
                }
            }
        }
        for (std::uint32_t lower = 0; lower < x_shape.groups; ++lower) {
            for (std::uint32_t upper = lower + 1; upper < x_shape.groups; ++upper) {
                for (std::uint32_t round = 0; round < x_shape.rounds; ++round) {
                    connect(fabric, x_hosts + x_shape.gateway(lower, upper, round),
                            x_hosts + x_shape.gateway(upper, lower, round), x_global, round,
                            kGlobalRule);
                }
            }
        }
        return fabric;
    }

    void route(HostId source, HostId target, std::vector<LinkId>& links) const override {
        const DragonflyPath path = x_shape.minimal(source, target);
        links.assign(path.links, path.links + path.length);
    }

    std::uint32_t channels(RoutePolicy policy) const override {
        return policy == RoutePolicy::kMinimal ? 2 : 3;
    }

   private:
    LinkParameters x_link;
    LinkParameters x_local;
    LinkParameters x_global;
    std::uint32_t x_hosts = 0;
    DragonflyShape x_shape;
};

KUMI_REGISTER(Topology, Dragonfly, "dragonfly",
              "Groups of switches, all connected inside a group, and each two groups connected.");

}  // namespace
}  // namespace kumi::network
