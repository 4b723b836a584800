#include "network/topology/topology.hpp"

namespace kumi::network {
namespace {

/// Two levels: hosts at leaf switches, each leaf connected to each spine switch. Between leaves,
/// the target decides the spine (d-mod-k: target mod spines), so that messages to different hosts
/// of a leaf spread over the spines and those of one pair stay in order [Zahavi10].
class Tree final : public Topology {
   public:
    explicit Tree(const TopologyParameters& parameters)
        : x_link(parameters.host_link), x_switch_link(parameters.switch_link(0, 1)) {
        TopologyNumbers numbers(parameters);
        x_leaves = numbers.take("leaves", 1, kMostHosts);
        x_hosts_per_leaf = numbers.take("hosts_per_leaf", 1, kMostHosts);
        x_spines = numbers.take("spines", 1, kMostHosts);
        numbers.finish();
        checked_product({x_leaves, x_hosts_per_leaf}, kMostHosts,
                        "topology tree: leaves x hosts_per_leaf");
    }

    FabricDescription describe() const override {
        FabricDescription fabric{.hosts = hosts(), .switches = x_leaves + x_spines};
        for (HostId host = 0; host < hosts(); ++host) {
            connect(fabric, host, hosts() + host / x_hosts_per_leaf, x_link);
        }
        for (std::uint32_t leaf = 0; leaf < x_leaves; ++leaf) {
            for (std::uint32_t spine = 0; spine < x_spines; ++spine) {
                connect(fabric, hosts() + leaf, hosts() + x_leaves + spine, x_switch_link);
            }
        }
        return fabric;
    }

    void route(HostId source, HostId target, std::vector<LinkId>& links) const override {
        const std::uint32_t source_leaf = source / x_hosts_per_leaf;
        const std::uint32_t target_leaf = target / x_hosts_per_leaf;
        links.assign({2 * source});
        if (source_leaf != target_leaf) {
            const std::uint32_t spine = target % x_spines;
            links.push_back(up(source_leaf, spine));
            links.push_back(up(target_leaf, spine) + 1);
        }
        links.push_back(2 * target + 1);
    }

   private:
    std::uint32_t hosts() const { return x_leaves * x_hosts_per_leaf; }
    /// The link from leaf to spine; the one back follows it.
    LinkId up(std::uint32_t leaf, std::uint32_t spine) const {
        return 2 * hosts() + 2 * (leaf * x_spines + spine);
    }

    LinkParameters x_link;
    LinkParameters x_switch_link;
    std::uint32_t x_leaves = 0;
    std::uint32_t x_hosts_per_leaf = 0;
    std::uint32_t x_spines = 0;
};

KUMI_REGISTER(Topology, Tree, "tree",
              "Two levels: hosts at leaf switches, each leaf connected to each spine switch.");

}  // namespace
}  // namespace kumi::network
