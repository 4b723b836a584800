#include <stdexcept>

#include "network/topology/topology.hpp"

namespace kumi {
namespace {

/// Groups of switches that are all connected to each other; each two groups are connected too, by
/// global cables [Kim08].
///
/// Global ports of a group are numbered switch by switch. Their arrangement is the absolute (or
/// consecutive) one [Hastings15]: port q of group i leads to group q if q < i, else to group q + 1.
/// If ports are left over, this is repeated as long as they reach every other group once more; what
/// is left after that has no cable.
///
/// Routing is minimal: at most one global cable, with a local one before and after it if needed.
/// Among several cables to the target's group, the one with the fewest local links counts; ties go
/// by the target host's number.
class Dragonfly final : public Topology {
   public:
    explicit Dragonfly(const TopologyParameters& parameters)
        : x_link(parameters.link),
          x_local(parameters.uplink(0, 2)),
          x_global(parameters.uplink(1, 2)) {
        TopologyNumbers numbers(parameters);
        x_groups = numbers.take("groups", 1, kMostHostsByFormula);
        x_group_switches = numbers.take("switches_per_group", 1, kMostHosts);
        x_switch_ports = numbers.take("global_links_per_switch", 0, kMostHosts);
        x_switch_hosts = numbers.take("hosts_per_switch", 1, kMostHosts);
        numbers.finish();
        const std::string what = "topology dragonfly: ";
        const std::uint32_t ports = x_group_switches * x_switch_ports;
        if (x_groups > ports + 1) {
            throw std::invalid_argument(
                what +
                "groups must be at most switches_per_group x global_links_per_switch + 1 = " +
                std::to_string(ports + 1) + ", not " + std::to_string(x_groups));
        }
        x_hosts = checked_product({x_groups, x_group_switches, x_switch_hosts}, kMostHostsByFormula,
                                  what + "the number of hosts");
        x_rounds = x_groups > 1 ? ports / (x_groups - 1) : 0;
        const std::uint64_t local = std::uint64_t{x_groups} * pairs(x_group_switches);
        const std::uint64_t links = 2 * (x_hosts + local + pairs(x_groups) * x_rounds);
        if (links > kMostLinksByFormula) {
            throw std::invalid_argument(what + "the number of links must be at most " +
                                        std::to_string(kMostLinksByFormula));
        }
        x_first_local = 2 * x_hosts;
        x_first_global = x_first_local + static_cast<LinkId>(2 * local);
    }

    FabricDescription describe() const override {
        FabricDescription fabric;
        fabric.hosts = x_hosts;
        fabric.switches = x_groups * x_group_switches;
        for (HostId host = 0; host < x_hosts; ++host) {
            connect(fabric, host, x_hosts + host / x_switch_hosts, x_link);
        }
        for (std::uint32_t group = 0; group < x_groups; ++group) {
            const std::uint32_t first = x_hosts + group * x_group_switches;
            for (std::uint32_t lower = 0; lower < x_group_switches; ++lower) {
                for (std::uint32_t upper = lower + 1; upper < x_group_switches; ++upper) {
                    connect(fabric, first + lower, first + upper, x_local);
                }
            }
        }
        for (std::uint32_t lower = 0; lower < x_groups; ++lower) {
            for (std::uint32_t upper = lower + 1; upper < x_groups; ++upper) {
                for (std::uint32_t round = 0; round < x_rounds; ++round) {
                    connect(fabric, x_hosts + gateway(lower, upper, round),
                            x_hosts + gateway(upper, lower, round), x_global, round);
                }
            }
        }
        return fabric;
    }

    void route(HostId source, HostId target, std::vector<LinkId>& links) const override {
        links.assign({2 * source});
        const std::uint32_t from = source / x_switch_hosts;
        const std::uint32_t to = target / x_switch_hosts;
        const std::uint32_t from_group = from / x_group_switches;
        const std::uint32_t to_group = to / x_group_switches;
        if (from_group == to_group) {
            add_local(from, to, links);
        } else {
            const std::uint32_t round = best_round(from, to, target);
            add_local(from, gateway(from_group, to_group, round), links);
            links.push_back(x_first_global +
                            2 * (pair(from_group, to_group, x_groups) * x_rounds + round) +
                            (from_group < to_group ? 0 : 1));
            add_local(gateway(to_group, from_group, round), to, links);
        }
        links.push_back(2 * target + 1);
    }

   private:
    static std::uint64_t pairs(std::uint64_t count) { return count * (count - 1) / 2; }

    /// The place of two of `count` things among all pairs: (0, 1), (0, 2), ... (1, 2), ...
    static std::uint32_t pair(std::uint32_t a, std::uint32_t b, std::uint32_t count) {
        const std::uint64_t lower = a < b ? a : b;
        const std::uint64_t upper = a < b ? b : a;
        const std::uint64_t before = lower * count - lower * (lower + 1) / 2;
        return static_cast<std::uint32_t>(before + (upper - lower - 1));
    }

    /// The switch of `group` whose global cable of that round leads to `other`.
    std::uint32_t gateway(std::uint32_t group, std::uint32_t other, std::uint32_t round) const {
        const std::uint32_t port = round * (x_groups - 1) + (other < group ? other : other - 1);
        return group * x_group_switches + port / x_switch_ports;
    }

    std::uint32_t best_round(std::uint32_t from, std::uint32_t to, HostId target) const {
        const std::uint32_t from_group = from / x_group_switches;
        const std::uint32_t to_group = to / x_group_switches;
        std::uint32_t best = 0;
        std::uint32_t fewest = 3;
        for (std::uint32_t i = 0; i < x_rounds; ++i) {
            const std::uint32_t round = (target + i) % x_rounds;
            const std::uint32_t locals = (gateway(from_group, to_group, round) != from ? 1U : 0U) +
                                         (gateway(to_group, from_group, round) != to ? 1U : 0U);
            if (locals >= fewest) continue;
            fewest = locals;
            best = round;
        }
        return best;
    }

    /// The link between two switches of one group; none if they are the same.
    void add_local(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& links) const {
        if (from == to) return;
        const std::uint32_t group = from / x_group_switches;
        const std::uint32_t of_group = group * static_cast<std::uint32_t>(pairs(x_group_switches));
        const std::uint32_t inside =
            pair(from % x_group_switches, to % x_group_switches, x_group_switches);
        links.push_back(x_first_local + 2 * (of_group + inside) + (from < to ? 0 : 1));
    }

    LinkParameters x_link;
    LinkParameters x_local;
    LinkParameters x_global;
    std::uint32_t x_groups = 0;
    std::uint32_t x_group_switches = 0;
    std::uint32_t x_switch_ports = 0;
    std::uint32_t x_switch_hosts = 0;
    std::uint32_t x_hosts = 0;
    std::uint32_t x_rounds = 0;  ///< Global cables between each two groups.
    LinkId x_first_local = 0;
    LinkId x_first_global = 0;
};

KUMI_REGISTER(Topology, Dragonfly, "dragonfly",
              "Groups of switches, all connected inside a group, and each two groups connected.");

}  // namespace
}  // namespace kumi
