// What happens at each event of the network: see EventClass.
#include "network/network.hpp"

namespace kumi::network {

std::uint32_t Network::take_injection(const engine::Event& event) {
    if ((event.payload & kFirstOfQueue) != 0) {
        const HostId source = injection_source(event.payload);
        Injection next;
        if (x_injections[source].pop(x_waiting, next)) {
            x_queue.push({next.key, kFirstOfQueue | injection_payload(next.transit, source)});
        }
    }
    return static_cast<std::uint32_t>(event.payload);
}

void Network::enter_interface(const engine::Event& injection) {
    const std::uint32_t index = take_injection(injection);
    const bool is_plain = x_credits == nullptr && x_non_minimal == nullptr;
    if (is_plain || !enter_by_setting(index)) send_whole(index);
}

/// The interface takes the whole message at once: its packets leave back to back, and later
/// messages follow its last packet.
void Network::send_whole(std::uint32_t index) {
    Transit& transit = x_transits.at(index);
    const std::uint32_t full_packets = transit.packets - 1;
    const LinkId id = transit.path[0];
    Link& link = x_links[id];
    const LinkKind& kind = kind_of(link);
    const Duration last_serialisation = kind.serialisation(transit.last_packet_bytes);
    const Duration full_serialisation =
        full_packets == 0 ? Duration{} : kind.serialisation(x_full_packet_bytes);
    Duration full_span{};
    if (__builtin_mul_overflow(full_serialisation.ps, full_packets, &full_span.ps))
        end_of_virtual_time();
    const Duration span = full_span + last_serialisation;
    const std::uint64_t size_bytes = full_packets * x_full_packet_bytes + transit.last_packet_bytes;
    const Instant awake = wake_for(id, link, x_now, true, transit, 0);
    const Instant start = link.reserve(x_now, awake, span, size_bytes, transit.packets);
    link.use.add(x_use_bins, start, span);

    const Instant ready = start + kind.latency;
    const LinkId next = kind.delivers ? 0 : transit.path[1];
    if (kind.delivers) {
        transit.packets_delivered = transit.packets;
    } else {
        if (x_wake_frames != nullptr) wake_ahead(transit, 0, start);
        if (full_packets != 0)
            enqueue(link, id, {ready, full_serialisation, index, full_packets, 0, false, 0, next});
    }
    const Instant last_ready = ready + (kind.delivers ? span : full_span);
    enqueue(link, id, {last_ready, last_serialisation, index, 1, 0, true, 0, next});
}

void Network::forward(LinkId incoming) {
    Link& link = x_links[incoming];
    PacketRun& run = link.in_flight.front();
    const PacketRun packet = run;
    const bool is_last = packet.ends_message && packet.count == 1;
    // The event queue's work below hides the wait for this.
    fetch_link(packet.next_link);
    if (--run.count == 0) {
        link.in_flight.pop(x_packets);
    } else {
        run.ready += run.serialisation;
    }
    if (!link.in_flight.empty()) schedule_first(link, incoming);
    put_on_next_link(packet, is_last);
}

void Network::put_on_next_link(const PacketRun& packet, bool is_last) {
    Transit& transit = x_transits.at(packet.transit);
    const auto hop = static_cast<std::uint16_t>(packet.hop + 1);
    const LinkId id = packet.next_link;
    Link& link = x_links[id];
    const std::uint64_t size_bytes = is_last ? transit.last_packet_bytes : x_full_packet_bytes;
    const LinkKind& kind = kind_of(link);
    const Duration serialisation = kind.serialisation(size_bytes);
    // A faster link waits until the packet's tail will be there in time.
    const Duration head_start = packet.serialisation - serialisation;
    const Instant in_time = head_start.ps > 0 ? packet.ready + head_start : packet.ready;
    const Instant awake = wake_for(id, link, in_time, is_last, transit, hop);
    const Instant start = link.reserve(in_time, awake, serialisation, size_bytes, 1);
    link.use.add(x_use_bins, start, serialisation);
    Instant event = start + kind.latency;
    LinkId next = 0;
    if (kind.delivers) {
        ++transit.packets_delivered;
        // Nothing happens at a host before the message's last byte is there.
        if (!is_last) return;
        event = event + serialisation;
    } else {
        if (x_wake_frames != nullptr) wake_ahead(transit, hop, start);
        next = transit.path[hop + 1U];
    }
    enqueue(link, id, {event, serialisation, packet.transit, 1, hop, is_last, 0, next});
}

std::uint32_t Network::take_arrival(LinkId incoming) {
    Link& link = x_links[incoming];
    const std::uint32_t index = link.in_flight.front().transit;
    link.in_flight.pop(x_packets);
    if (!link.in_flight.empty()) schedule_first(link, incoming);
    if (has_power(incoming)) x_power->arrive(x_transits.at(index).path[0], incoming);
    return index;
}

std::uint64_t Network::forget(std::uint32_t index) {
    Transit& transit = x_transits.at(index);
    KUMI_ASSERT(transit.packets_delivered == transit.packets, "a message lost packets");
    ++x_counters.arrived_messages;
    x_counters.arrived_bytes += transit.size_bytes;
    const std::uint64_t cookie = transit.cookie;
    if (x_keeps_arrivals) note_arrival(index);
    if (x_finder != nullptr || x_non_minimal != nullptr) {
        transit.path.release_copy(*x_arena);
    }
    x_transits.release(index);
    KUMI_ASSERT(x_transits.live() != 0 || x_counters.arrived_bytes == x_counters.injected_bytes,
                "the network lost or invented bytes");
    return cookie;
}

}  // namespace kumi::network
