#include "network/topology/topology.hpp"

namespace kumi::network {
namespace {

constexpr std::uint32_t kMostStages = 20;

/// The k-ary n-fly [Dally04, ch. 4]: n stages of k^(n-1) switches with k inputs and k outputs each;
/// links lead from stage to stage only. Every message crosses all stages, and between two hosts
/// there is just one path.
///
/// Lines have numbers of n digits to base k, as hosts have. Stage s holds digit n-1-s: a switch
/// joins the lines that differ in this digit alone, and a message leaves on the one whose digit is
/// the target's.
class Butterfly final : public Topology {
   public:
    explicit Butterfly(const TopologyParameters& parameters)
        : x_link(parameters.host_link), x_switch_link(parameters.switch_link(0, 1)) {
        TopologyNumbers numbers(parameters);
        x_radix = numbers.take("radix", 2, kMostHosts);
        x_stages = numbers.take("stages", 1, kMostStages);
        numbers.finish();
        x_hosts = checked_product(std::vector<std::uint32_t>(x_stages, x_radix),
                                  kMostHostsByFormula, "topology butterfly: radix ^ stages");
        checked_product({x_hosts, x_stages + 1}, kMostLinksByFormula,
                        "topology butterfly: the number of links");
    }

    FabricDescription describe() const override {
        FabricDescription fabric{.hosts = x_hosts, .switches = x_stages * (x_hosts / x_radix)};
        for (HostId line = 0; line < x_hosts; ++line) {
            connect_one_way(fabric, line, switch_of(0, line), x_link);
        }
        for (std::uint32_t stage = 1; stage < x_stages; ++stage) {
            for (HostId line = 0; line < x_hosts; ++line) {
                connect_one_way(fabric, switch_of(stage - 1, line), switch_of(stage, line),
                                x_switch_link);
            }
        }
        for (HostId line = 0; line < x_hosts; ++line) {
            connect_one_way(fabric, switch_of(x_stages - 1, line), line, x_link);
        }
        return fabric;
    }

    void route(HostId source, HostId target, std::vector<LinkId>& links) const override {
        links.assign({source});
        std::uint32_t kept = x_hosts;  // Digits below this power are still the source's.
        for (std::uint32_t stage = 1; stage <= x_stages; ++stage) {
            kept /= x_radix;
            links.push_back(stage * x_hosts + (target - target % kept) + source % kept);
        }
    }

   private:
    /// The vertex of a stage that the line passes.
    std::uint32_t switch_of(std::uint32_t stage, std::uint32_t line) const {
        std::uint32_t below = x_hosts / x_radix;
        for (std::uint32_t before = 0; before < stage; ++before) below /= x_radix;
        const std::uint32_t number = line / (below * x_radix) * below + line % below;
        return x_hosts + stage * (x_hosts / x_radix) + number;
    }

    LinkParameters x_link;
    LinkParameters x_switch_link;
    std::uint32_t x_radix = 0;
    std::uint32_t x_stages = 0;
    std::uint32_t x_hosts = 0;
};

KUMI_REGISTER(Topology, Butterfly, "butterfly",
              "The k-ary n-fly: stages of switches, links one way only.");

}  // namespace
}  // namespace kumi::network
