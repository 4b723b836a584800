#pragma once

#include <cstdint>
#include <vector>

#include "network/topology/topology.hpp"

namespace kumi::network {

/// For topologies that are given link by link: the numbers `sources`, `targets`, `bandwidth_bps`
/// and `latency_ps`, of which the parameters must outlive it.
class LinkList {
   public:
    /// Throws std::invalid_argument as TopologyNumbers does.
    explicit LinkList(TopologyNumbers& numbers);

    /// Adds the links to a fabric whose numbers of hosts and switches stand. Throws
    /// std::invalid_argument, beginning with the name of the topology's kind, if the lists are not
    /// equally long or a link ends nowhere. All links have the noise of that number.
    void connect(FabricDescription& fabric, const char* kind, std::uint8_t noise = 0) const;

   private:
    const std::vector<std::uint64_t>& x_sources;
    const std::vector<std::uint64_t>& x_targets;
    const std::vector<std::uint64_t>& x_bandwidth_bps;
    const std::vector<std::uint64_t>& x_latency_ps;
};

}  // namespace kumi::network
