#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "network/fabric.hpp"
#include "network/topology/topology.hpp"

/// A network, described and checked but not yet built: what `kumihimo._core.Network`
/// holds. Ordinary memory of the launcher.
class DescribedNetwork {
   public:
    /// `settings` holds what does not come from the topology: switch latency, packets, loopback.
    /// Throws std::invalid_argument with a plain sentence if such a network is impossible.
    DescribedNetwork(const kumi::network::TopologyParameters& topology,
                     const kumi::network::FabricDescription& settings);

    const kumi::network::FabricDescription& fabric() const { return x_fabric; }
    const kumi::network::Routing& routing() const { return *x_topology; }

    /// The links between two hosts, in order; none from a host to itself, or if they are not
    /// connected. Throws std::invalid_argument if there is no such host.
    std::vector<kumi::network::LinkId> route(std::uint64_t source, std::uint64_t target) const;

    /// Time of a message through the idle network. Throws std::invalid_argument if there is no such
    /// host, or no path.
    kumi::Duration zero_load_time(std::uint64_t source, std::uint64_t target,
                                  std::uint64_t size_bytes) const;

   private:
    std::unique_ptr<kumi::network::Topology> x_topology;
    kumi::network::FabricDescription x_fabric;
};
