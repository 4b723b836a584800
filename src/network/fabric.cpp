#include "network/fabric.hpp"

#include <stdexcept>

#include "network/power/policies/link_policy.hpp"

namespace kumi::network {
namespace {

constexpr std::uint64_t kLargestRate = 1'000'000'000'000'000;  // 1 Pb/s
constexpr Duration kLongestLatency{86'400'000'000'000'000};    // a day
constexpr std::uint64_t kLargestPacket = std::uint64_t{1} << 40;

void refuse_if(bool is_wrong, const std::string& what) {
    if (is_wrong) throw std::invalid_argument(what);
}

bool is_rate(std::uint64_t rate_bps) { return rate_bps >= 1 && rate_bps <= kLargestRate; }

bool is_latency(Duration latency) { return latency >= Duration{} && latency <= kLongestLatency; }

void check_rate(const std::string& what, std::uint64_t rate_bps) {
    refuse_if(!is_rate(rate_bps), what + ": bandwidth must be between 1 b/s and 10^15 b/s, not " +
                                      std::to_string(rate_bps) + " b/s");
}

void check_latency(const std::string& what, Duration latency) {
    refuse_if(!is_latency(latency), what + ": latency must be between 0 and a day, not " +
                                        std::to_string(latency.ps) + " ps");
}

void check_size(const std::string& what, std::uint64_t size_bytes) {
    refuse_if(size_bytes > kLargestPacket,
              what + " must be at most 2^40 bytes, not " + std::to_string(size_bytes));
}

void check_link(const FabricDescription& fabric, const LinkDescription& link) {
    const auto what = [&] { return "link '" + link_name(fabric, link) + "'"; };
    if (!is_rate(link.bandwidth_bps)) check_rate(what(), link.bandwidth_bps);
    if (!is_latency(link.latency)) check_latency(what(), link.latency);
    const std::uint32_t vertices = fabric.hosts + fabric.switches;
    if (link.source_vertex >= vertices || link.target_vertex >= vertices) {
        throw std::invalid_argument(what() + " begins or ends at a vertex that is not there");
    }
    if (link.source_vertex == link.target_vertex && link.source_vertex < fabric.hosts) {
        throw std::invalid_argument(what() + " begins and ends at the same host");
    }
    if (link.noise > fabric.noises.size()) {
        throw std::invalid_argument(what() + " has a noise that is not described");
    }
}

void check_buffering(const FabricDescription& fabric) {
    const Buffering& buffering = fabric.buffering;
    if (buffering.buffer_bytes == 0) return;
    refuse_if(fabric.packet_bytes == 0, "finite buffers need a packet size");
    const std::uint64_t packet = fabric.packet_bytes + fabric.header_bytes;
    refuse_if(buffering.buffer_bytes < packet,
              "a buffer of " + std::to_string(buffering.buffer_bytes) +
                  " bytes has no room for a packet of " + std::to_string(packet));
    check_size("a buffer", buffering.buffer_bytes);
    refuse_if(buffering.channels < 1 || buffering.channels > Buffering::kMostChannels,
              "a link must have between 1 and 32 virtual channels, not " +
                  std::to_string(buffering.channels));
}

}  // namespace

std::string vertex_name(const FabricDescription& fabric, std::uint32_t vertex) {
    if (vertex < fabric.hosts) return "host" + std::to_string(vertex);
    return "switch" + std::to_string(vertex - fabric.hosts);
}

std::string link_name(const FabricDescription& fabric, const LinkDescription& link) {
    std::string name =
        vertex_name(fabric, link.source_vertex) + "->" + vertex_name(fabric, link.target_vertex);
    if (link.cable > 0) name.append("#").append(std::to_string(link.cable));
    return name;
}

void check_fabric(const FabricDescription& fabric) {
    refuse_if(fabric.hosts == 0, "a network needs at least one host");
    check_latency("switch", fabric.switch_latency);
    check_size("packet size", fabric.packet_bytes);
    check_size("packet header", fabric.header_bytes);
    check_rate("loopback", fabric.loopback_bandwidth_bps);
    check_latency("loopback", fabric.loopback_latency);
    for (const LinkDescription& link : fabric.links) check_link(fabric, link);
    check_buffering(fabric);
    check_power(fabric.power);
    refuse_if(fabric.route_policy != RoutePolicy::kMinimal && !fabric.dragonfly,
              "non-minimal routes need the topology dragonfly");
}

void check_rank_hosts(const FabricDescription& fabric, const std::vector<HostId>& rank_hosts,
                      std::uint32_t ranks, std::uint32_t ranks_per_host) {
    if (rank_hosts.empty()) return;
    if (rank_hosts.size() != ranks)
        throw std::invalid_argument("hosts are named for " + std::to_string(rank_hosts.size()) +
                                    " ranks, not for " + std::to_string(ranks));
    std::vector<std::uint32_t> ranks_on(fabric.hosts);
    for (std::size_t rank = 0; rank < rank_hosts.size(); ++rank) {
        const HostId host = rank_hosts[rank];
        if (host >= fabric.hosts)
            throw std::invalid_argument("rank " + std::to_string(rank) + " is put on host " +
                                        std::to_string(host) + ", but hosts are 0 to " +
                                        std::to_string(fabric.hosts - 1));
        if (++ranks_on[host] > ranks_per_host)
            throw std::invalid_argument("host " + std::to_string(host) + " has room for " +
                                        std::to_string(ranks_per_host) +
                                        " ranks only, and more are put there");
    }
}

}  // namespace kumi::network
