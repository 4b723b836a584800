#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace kumi {

/// A vertex of the fabric below `FabricDescription::hosts`.
using HostId = std::uint32_t;
/// An index into `FabricDescription::links`.
using LinkId = std::uint32_t;

/// One directed link. From a switch to itself it is a medium that all paths through it share.
struct LinkDescription {
    std::string name;
    std::uint32_t source_vertex = 0;
    std::uint32_t target_vertex = 0;
    std::uint64_t bandwidth_bps = 0;
    Duration latency{};  ///< From the first bit leaving the source to its reaching the target.
};

/// A machine's network as described, before anything is built from it; ordinary memory. Vertices
/// are the hosts 0..hosts-1, then the switches. Hosts do not forward: a link into a host ends a
/// path.
struct FabricDescription {
    std::uint32_t hosts = 0;
    std::uint32_t switches = 0;
    std::vector<LinkDescription> links;
    Duration switch_latency{};       ///< From a packet's head at a switch to its output queue.
    std::uint64_t packet_bytes = 0;  ///< Payload of a full packet; 0: a message is one packet.
    std::uint64_t header_bytes = 0;  ///< Added to every packet.
    /// Between ranks of one host: one FIFO queue a host, whole messages without headers.
    std::uint64_t loopback_bandwidth_bps = 100'000'000'000;
    Duration loopback_latency{};
};

/// "host3" or "switch0".
std::string vertex_name(const FabricDescription& fabric, std::uint32_t vertex);

/// Throws std::invalid_argument with a plain sentence if the fabric cannot be simulated: no hosts,
/// a rate of zero or beyond 8 Tb/s, a latency below zero or beyond a day, a vertex that is not
/// there.
void check_fabric(const FabricDescription& fabric);

}  // namespace kumi
