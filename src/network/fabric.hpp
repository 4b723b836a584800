#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time/time.hpp"
#include "network/channel/channel.hpp"
#include "network/ids.hpp"
#include "network/power/states/power_times.hpp"
#include "network/topology/dragonfly_shape.hpp"

namespace kumi::network {

/// How the virtual channel of a packet follows from the links that it takes. A packet begins in
/// channel 0, and again with every change of `order`; each link moves it on by `step`.
struct ChannelRule {
    std::uint8_t order = 0;  ///< Links of one order may depend on each other in a circle.
    std::uint8_t step = 0;   ///< 1 where such a circle is cut.
};

/// The channel on the next link of a path. The highest of `channels` holds all beyond it.
inline std::uint32_t next_channel(ChannelRule before, std::uint32_t channel, ChannelRule next,
                                  std::uint32_t channels) {
    const std::uint32_t begin = before.order == next.order ? channel : 0;
    return begin + next.step < channels ? begin + next.step : channels - 1;
}

/// Which of the packets that want a link gets it next.
enum class Arbitration : std::uint8_t {
    kRoundRobin,  ///< Of the next input port in turn; of its channels the one that waits longest.
    kFirstCome,   ///< The one that waits longest; of equal ones that of the lowest port.
};

/// Finite buffers at the inputs of switches.
struct Buffering {
    static constexpr std::uint32_t kMostChannels = 32;

    /// Of each virtual channel of each link, headers included. 0: packets queue at outputs, without
    /// limit, and the rest means nothing.
    std::uint64_t buffer_bytes = 0;
    std::uint32_t channels = 1;  ///< Virtual channels of each link.
    Arbitration arbitration = Arbitration::kRoundRobin;
};

/// Which paths messages take through a dragonfly.
enum class RoutePolicy : std::uint8_t {
    kMinimal,  ///< The routing's.
    kValiant,  ///< Between groups, over a random third group.
    kUgal,     ///< That, or the minimal path if its first queue promises to be faster.
};

/// One directed link. From a switch to itself it is a medium that all paths through it share.
struct LinkDescription {
    std::uint32_t source_vertex = 0;
    std::uint32_t target_vertex = 0;
    std::uint64_t bandwidth_bps = 0;
    Duration latency{};  ///< From the first bit leaving the source to its reaching the target.
    /// What decides in which virtual channel packets cross the link: see `next_channel`.
    ChannelRule channel{};
    /// 0: every bit arrives as it was sent; else one more than an index into
    /// `FabricDescription::noises`.
    std::uint8_t noise = 0;
    std::uint32_t cable = 0;  ///< Which of several links between the same vertices.
};

/// A network as described, before anything is built from it; ordinary memory. Vertices
/// are the hosts 0..hosts-1, then the switches. Hosts do not forward: a link into a host ends a
/// path.
struct FabricDescription {
    std::uint32_t hosts = 0;
    std::uint32_t switches = 0;
    std::vector<LinkDescription> links;
    std::vector<LinkNoise> noises;   ///< Of classes of links; at most 255.
    Duration switch_latency{};       ///< From a packet's head at a switch to its output queue.
    std::uint64_t packet_bytes = 0;  ///< Payload of a full packet; 0: a message is one packet.
    std::uint64_t header_bytes = 0;  ///< Added to every packet.
    /// Between ranks of one host: one FIFO queue a host, whole messages without headers.
    std::uint64_t loopback_bandwidth_bps = 100'000'000'000;
    Duration loopback_latency{};
    Buffering buffering{};
    PowerDescription power{};
    RoutePolicy route_policy = RoutePolicy::kMinimal;
    std::optional<DragonflyShape> dragonfly{};  ///< If it is one.
    std::uint64_t seed = 0;                     ///< Of random paths.
};

/// "host3" or "switch0".
std::string vertex_name(const FabricDescription& fabric, std::uint32_t vertex);
/// "host3->switch0", or "host3->switch0#1" of a second cable. Made when it is asked for: a million
/// hosts have gigabytes of names.
std::string link_name(const FabricDescription& fabric, const LinkDescription& link);

/// Throws std::invalid_argument with a plain sentence if the fabric cannot be simulated: no hosts,
/// a rate of zero or beyond 10^15 b/s, a latency below zero or beyond a day, a vertex that is not
/// there, a buffer without room for a packet, non-minimal routes elsewhere than in a dragonfly.
void check_fabric(const FabricDescription& fabric);

/// Throws std::invalid_argument unless each of `ranks` has a host that is there, and no host has
/// more ranks than it has room for. Without hosts, they are not named.
void check_rank_hosts(const FabricDescription& fabric, const std::vector<HostId>& rank_hosts,
                      std::uint32_t ranks, std::uint32_t ranks_per_host);

}  // namespace kumi::network
