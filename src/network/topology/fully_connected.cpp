#include "network/topology/topology.hpp"

namespace kumi::network {
namespace {

// A million links.
constexpr std::uint32_t kMostHostsFullyConnected = 1024;

/// A link of its own for each ordered pair of hosts, and no switch: nothing ever contends but
/// messages of one pair.
class FullyConnected final : public Topology {
   public:
    explicit FullyConnected(const TopologyParameters& parameters) : x_link(parameters.host_link) {
        TopologyNumbers numbers(parameters);
        x_hosts = numbers.take("hosts", 1, kMostHostsFullyConnected);
        numbers.finish();
    }

    FabricDescription describe() const override {
        FabricDescription fabric{.hosts = x_hosts};
        for (HostId lower = 0; lower < x_hosts; ++lower) {
            for (HostId upper = lower + 1; upper < x_hosts; ++upper) {
                connect(fabric, lower, upper, x_link);
            }
        }
        return fabric;
    }

    void route(HostId source, HostId target, std::vector<LinkId>& links) const override {
        const HostId lower = source < target ? source : target;
        const HostId upper = source < target ? target : source;
        // Pairs in the order of `describe`: all of host 0, then of host 1 with higher ones, ...
        const std::uint32_t pairs_before = lower * x_hosts - lower * (lower + 1) / 2;
        const std::uint32_t pair = pairs_before + (upper - lower - 1);
        links.assign({2 * pair + (source < target ? 0 : 1)});
    }

   private:
    LinkParameters x_link;
    std::uint32_t x_hosts = 0;
};

KUMI_REGISTER(Topology, FullyConnected, "fully_connected", "A direct link between each two hosts.");

}  // namespace
}  // namespace kumi::network
