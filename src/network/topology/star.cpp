#include "network/topology/topology.hpp"

namespace kumi::network {
namespace {

/// All hosts at one switch. Host h sends on link 2h and receives on link 2h + 1.
class Star final : public Topology {
   public:
    explicit Star(const TopologyParameters& parameters) : x_link(parameters.host_link) {
        TopologyNumbers numbers(parameters);
        x_hosts = numbers.take("hosts", 1, kMostHosts);
        numbers.finish();
    }

    FabricDescription describe() const override {
        FabricDescription fabric{.hosts = x_hosts, .switches = 1};
        for (HostId host = 0; host < x_hosts; ++host) connect(fabric, host, x_hosts, x_link);
        return fabric;
    }

    void route(HostId source, HostId target, std::vector<LinkId>& links) const override {
        links.assign({2 * source, 2 * target + 1});
    }

   private:
    LinkParameters x_link;
    std::uint32_t x_hosts = 0;
};

KUMI_REGISTER(Topology, Star, "star", "All hosts at one switch.");

}  // namespace
}  // namespace kumi::network
