#include "network/topology/link_list.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace kumi::network {
namespace {

constexpr std::size_t kMostLinks = std::size_t{1} << 20;

[[noreturn]] void fail(const char* kind, const std::string& why) {
    throw std::invalid_argument(std::string("topology ") + kind + ": " + why);
}

}  // namespace

LinkList::LinkList(TopologyNumbers& numbers)
    : x_sources(numbers.take_wide_list("sources", kMostLinks)),
      x_targets(numbers.take_wide_list("targets", kMostLinks)),
      x_bandwidth_bps(numbers.take_wide_list("bandwidth_bps", kMostLinks)),
      x_latency_ps(numbers.take_wide_list("latency_ps", kMostLinks)) {}

void LinkList::connect(FabricDescription& fabric, const char* kind, std::uint8_t noise) const {
    if (x_targets.size() != x_sources.size() || x_bandwidth_bps.size() != x_sources.size() ||
        x_latency_ps.size() != x_sources.size()) {
        fail(kind, "sources, targets, bandwidth_bps and latency_ps must be equally long");
    }
    const std::uint32_t vertices = fabric.hosts + fabric.switches;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> cables;
    for (std::size_t index = 0; index < x_sources.size(); ++index) {
        if (x_sources[index] >= vertices || x_targets[index] >= vertices) {
            fail(kind,
                 "link " + std::to_string(index) + " begins or ends at a vertex that is not there");
        }
        const auto source = static_cast<std::uint32_t>(x_sources[index]);
        const auto target = static_cast<std::uint32_t>(x_targets[index]);
        const Duration latency{static_cast<std::int64_t>(x_latency_ps[index])};
        connect_one_way(fabric, source, target, {x_bandwidth_bps[index], latency, noise},
                        cables[{source, target}]++, kNextOnEachLink);
    }
}

}  // namespace kumi::network
