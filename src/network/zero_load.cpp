#include "network/zero_load.hpp"

#include <algorithm>

#include "network/link/link.hpp"

namespace kumi::network {
namespace {

/// When a packet may start on a link, as far as the packet itself is concerned.
Duration cut_through(Duration ready, Duration serialisation_before, Duration serialisation) {
    return ready + std::max(Duration{}, serialisation_before - serialisation);
}

}  // namespace

void ZeroLoadTime::add(const PathStep& step) {
    const PathStep before = x_step;
    const Duration first_ready = x_first_start + before.latency;
    const Duration last_ready = x_last_start + before.latency;
    x_step = step;
    if (x_is_first) {
        x_is_first = false;
        x_spacing = step.full_serialisation;
        x_last_start = step.full_serialisation * (x_packets - 1);
        return;
    }
    x_first_start = cut_through(first_ready, before.full_serialisation, step.full_serialisation);
    x_spacing = std::max(x_spacing, step.full_serialisation);
    x_last_start = cut_through(last_ready, before.last_serialisation, step.last_serialisation);
    if (x_packets > 1) {
        const Duration free_at =
            x_first_start + x_spacing * (x_packets - 2) + step.full_serialisation;
        x_last_start = std::max(x_last_start, free_at);
    }
}

Duration zero_load_time(const FabricDescription& fabric, const std::vector<LinkId>& path,
                        std::uint64_t size_bytes) {
    if (path.empty()) {
        return fabric.loopback_latency + transfer_time(size_bytes, fabric.loopback_bandwidth_bps);
    }
    const Packets packets = cut_into_packets(size_bytes, fabric.packet_bytes, fabric.header_bytes);
    ZeroLoadTime time(packets.count);
    for (const LinkId id : path) {
        const LinkDescription& link = fabric.links.at(id);
        const bool has_switch = link.target_vertex >= fabric.hosts;
        time.add({link.latency + (has_switch ? fabric.switch_latency : Duration{}),
                  transfer_time(packets.full_bytes, link.bandwidth_bps),
                  transfer_time(packets.last_bytes, link.bandwidth_bps)});
    }
    return time.total();
}

}  // namespace kumi::network
