#include "network/switching/credit_switching.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "network/traffic.hpp"

namespace kumi::network {

CreditSwitching::CreditSwitching(Arena& arena, const FabricDescription& fabric)
    : x_buffer_bytes(fabric.buffering.buffer_bytes),
      x_channel_count(fabric.buffering.channels),
      x_link_count(static_cast<std::uint32_t>(fabric.links.size())),
      x_arbitration(fabric.buffering.arbitration),
      x_switch_latency(fabric.switch_latency) {
    x_channels = arena.make_array<Channel>(std::size_t{x_link_count} * x_channel_count);
    for (std::size_t queue = 0; queue < std::size_t{x_link_count} * x_channel_count; ++queue) {
        x_channels[queue].credit_bytes = x_buffer_bytes;
    }
    build_ports(arena, fabric);
}

void CreditSwitching::build_ports(Arena& arena, const FabricDescription& fabric) {
    x_outputs = arena.make_array<Output>(x_link_count);
    x_inputs = arena.make_array<Input>(x_link_count);
    x_ports = arena.make_array<LinkId>(x_link_count);
    std::vector<std::uint32_t> port_count(fabric.switches);
    for (LinkId id = 0; id < x_link_count; ++id) {
        const LinkDescription& link = fabric.links[id];
        x_inputs[id].rule = link.channel;
        if (link.target_vertex < fabric.hosts) continue;
        x_inputs[id].port = port_count[link.target_vertex - fabric.hosts]++;
    }
    std::vector<std::uint32_t> first_port(fabric.switches);
    std::uint32_t next = 0;
    for (std::uint32_t of_switch = 0; of_switch < fabric.switches; ++of_switch) {
        first_port[of_switch] = next;
        next += port_count[of_switch];
    }
    for (LinkId id = 0; id < x_link_count; ++id) {
        const LinkDescription& link = fabric.links[id];
        if (link.target_vertex >= fabric.hosts) {
            x_ports[first_port[link.target_vertex - fabric.hosts] + x_inputs[id].port] = id;
        }
        Output& output = x_outputs[id];
        output.leaves_host = link.source_vertex < fabric.hosts;
        if (output.leaves_host) continue;
        const std::uint32_t of_switch = link.source_vertex - fabric.hosts;
        output.first_port = first_port[of_switch];
        output.port_count = port_count[of_switch];
        if (output.port_count == 0) continue;
        output.last_port = output.port_count - 1;
        const std::uint32_t slots = output.port_count * x_channel_count;
        output.requests = arena.make_array<std::uint64_t>((slots + kWordBits - 1) / kWordBits);
    }
}

void CreditSwitching::enter(Traffic& traffic, LinkId first_link, std::uint32_t transit) {
    note_message(*traffic.x_arena, transit);
    x_outputs[first_link].messages.push(*traffic.x_arena, {traffic.x_now, transit, 0});
    arrange_turn(traffic, first_link);
    follow(traffic, first_link, WaitChains::kFromHost);
}

void CreditSwitching::note_message(Arena& arena, std::uint32_t transit) {
    constexpr std::uint32_t kFewest = 64;
    if (transit >= x_message_capacity) {
        const std::uint32_t wanted = std::max(kFewest, std::bit_ceil(transit + 1));
        x_message_waits =
            arena.enlarge(x_message_waits, x_message_capacity, x_message_capacity, wanted);
        x_message_capacity = wanted;
    }
    x_message_waits[transit] = {};
}

void CreditSwitching::execute(Traffic& traffic, const engine::Event& event) {
    const std::uint32_t id = event.key.source_id();
    switch (event.key.event_class()) {
        case engine::EventClass::kCredit:
            return continue_with_credit(traffic, id);
        case engine::EventClass::kFront:
            return present(traffic, id);
        case engine::EventClass::kHeadReady:
            return reach(traffic, id);
        default:
            return take_turn(traffic, id);
    }
}

/// A packet is ready to leave the buffer at the end of `id`, as far as the packet is concerned.
void CreditSwitching::reach(Traffic& traffic, LinkId id) {
    Link& link = traffic.x_links[id];
    PacketRun& run = link.in_flight.front();
    PacketRun packet = run;
    packet.ends_message = run.ends_message && run.count == 1;
    packet.count = 1;
    if (--run.count == 0) {
        link.in_flight.pop(traffic.x_packets);
    } else {
        run.ready += run.serialisation;
    }
    if (!link.in_flight.empty()) schedule_reach(traffic, id);

    const LinkId next = traffic.x_transits.at(packet.transit).path[packet.hop + 1U];
    x_outputs[next].waiting_bytes += traffic.packet_bytes(packet);
    const std::uint32_t queue = queue_of(id, packet.channel);
    Channel& channel = x_channels[queue];
    channel.waiting.push(*traffic.x_arena, packet);
    if (channel.waiting.size() == 1) present(traffic, queue);
}

/// The front of a buffer asks for its output, as soon as the packet before it has gone.
void CreditSwitching::present(Traffic& traffic, std::uint32_t queue) {
    Channel& channel = x_channels[queue];
    if (channel.read_until > traffic.x_now) {
        return traffic.push_event(channel.read_until, engine::EventClass::kFront, queue,
                                  channel.next_sequence++);
    }
    const PacketRun& packet = channel.waiting.front();
    const LinkId next = traffic.x_transits.at(packet.transit).path[packet.hop + 1U];
    Output& output = x_outputs[next];
    const LinkId link = queue / x_channel_count;
    const std::uint32_t slot = x_inputs[link].port * x_channel_count + packet.channel;
    output.requests[slot / kWordBits] |= std::uint64_t{1} << slot % kWordBits;
    ++output.requested;
    arrange_turn(traffic, next);
    channel.stalled_before = output.stalled;
    follow(traffic, next, link);
}

/// A credit that the link waits for has come back.
void CreditSwitching::continue_with_credit(Traffic& traffic, std::uint32_t queue) {
    x_channels[queue].is_awaited = false;
    const LinkId link = queue / x_channel_count;
    const Output& output = x_outputs[link];
    if (output.requested > 0 || !output.messages.empty()) arrange_turn(traffic, link);
}

void CreditSwitching::collect_credit(const Traffic& traffic, Channel& channel) const {
    while (!channel.returning.empty() && channel.returning.front().when <= traffic.x_now) {
        const std::uint64_t size_bytes = channel.returning.front().size_bytes;
        channel.returning.pop();
        channel.returning_bytes -= size_bytes;
        channel.credit_bytes += size_bytes;
        KUMI_ASSERT(channel.credit_bytes <= x_buffer_bytes, "a credit came back twice");
    }
}

/// Whether a packet of that size may go into the buffer; if not, the link goes on when there is
/// more credit.
bool CreditSwitching::has_credit(Traffic& traffic, std::uint32_t queue, std::uint64_t size_bytes) {
    Channel& channel = x_channels[queue];
    collect_credit(traffic, channel);
    if (channel.credit_bytes >= size_bytes) return true;
    if (!channel.is_awaited && !channel.returning.empty()) schedule_credit(traffic, queue);
    channel.is_awaited = true;
    return false;
}

void CreditSwitching::arrange_turn(Traffic& traffic, LinkId link) {
    Output& output = x_outputs[link];
    if (output.has_turn) return;
    output.has_turn = true;
    if (output.stalled_since < kNever) {
        output.stalled += traffic.x_now - output.stalled_since;
        output.stalled_since = kNever;
    }
    const Instant free_at = traffic.x_links[link].free_at;
    const Instant is_free = later(traffic.x_now, free_at);
    const Instant when =
        traffic.x_power == nullptr ? is_free : traffic.x_power->call(link, traffic.x_now, free_at);
    output.woke_for += when - is_free;
    traffic.push_event(when, engine::EventClass::kArbitrate, link, output.next_sequence++);
}

/// A packet that has come over `previous` asks for a link, which knows of it.
void CreditSwitching::follow(Traffic& traffic, LinkId link, LinkId previous) {
    if (traffic.x_power != nullptr) traffic.x_power->follow(link, previous, traffic.x_now);
}

void CreditSwitching::take_turn(Traffic& traffic, LinkId link) {
    Output& output = x_outputs[link];
    output.has_turn = false;
    // A wake frame may have come before.
    if (traffic.x_links[link].free_at > traffic.x_now) return arrange_turn(traffic, link);
    if (output.leaves_host) return send_from_host(traffic, link);
    const std::uint32_t queue = choose(traffic, output, link);
    if (queue == kNone) {
        output.stalled_since = traffic.x_now;
    } else {
        send_from_buffer(traffic, link, queue);
    }
}

void CreditSwitching::send_from_host(Traffic& traffic, LinkId link) {
    Output& output = x_outputs[link];
    Sending& sending = output.messages.front();
    const Transit& transit = traffic.x_transits.at(sending.transit);
    PacketRun packet{.transit = sending.transit,
                     .count = 1,
                     .ends_message = sending.packets_sent + 1 == transit.packets};
    if (!has_credit(traffic, queue_of(link, 0), traffic.packet_bytes(packet))) {
        output.stalled_since = traffic.x_now;
        return;
    }
    if (sending.packets_sent == 0) {
        traffic.choose_path(sending.transit, [&](LinkId of) { return load(traffic, of); });
    }

    // No other packet asks for the link: it stalls for the packet that goes next.
    const Duration credit_wait = std::exchange(output.stalled, Duration{});
    const Instant end = put_on_link(traffic, link, packet, sending.ready, credit_wait);
    sending.ready = end;
    ++sending.packets_sent;
    if (packet.ends_message) output.messages.pop();
    if (!output.messages.empty()) arrange_turn(traffic, link);
}

void CreditSwitching::send_from_buffer(Traffic& traffic, LinkId link, std::uint32_t queue) {
    Output& output = x_outputs[link];
    const LinkId from = queue / x_channel_count;
    const std::uint32_t slot =
        x_inputs[from].port * x_channel_count + (queue - from * x_channel_count);
    output.requests[slot / kWordBits] &= ~(std::uint64_t{1} << slot % kWordBits);
    --output.requested;
    output.last_port = x_inputs[from].port;

    Channel& channel = x_channels[queue];
    PacketRun packet = channel.waiting.front();
    channel.waiting.pop();
    const std::uint64_t size_bytes = traffic.packet_bytes(packet);
    output.waiting_bytes -= size_bytes;
    const Instant ready = packet.ready;
    ++packet.hop;
    packet.channel = static_cast<std::uint8_t>(channel_on(from, packet.channel, link));
    const Duration credit_wait = output.stalled - channel.stalled_before;
    channel.read_until = put_on_link(traffic, link, packet, ready, credit_wait);
    free_room(traffic, queue, size_bytes);
    if (!channel.waiting.empty()) present(traffic, queue);
    if (output.requested > 0) arrange_turn(traffic, link);
}

/// Starts a packet now; its hop and channel are those of this link. It has waited since it was
/// ready, for so long for nothing but credit. Returns when its tail has left.
Instant CreditSwitching::put_on_link(Traffic& traffic, LinkId id, PacketRun packet, Instant ready,
                                     Duration credit_wait) {
    Link& link = traffic.x_links[id];
    Transit& transit = traffic.x_transits.at(packet.transit);
    const std::uint64_t size_bytes = traffic.packet_bytes(packet);
    const Instant start = traffic.x_now;
    const LinkKind& kind = traffic.kind_of(link);
    packet.serialisation = kind.serialisation(size_bytes);
    traffic.wake_for(id, link, start, packet.ends_message, transit, packet.hop);
    Output& output = x_outputs[id];
    output.credit_wait += credit_wait;
    if (packet.hop == 0 || packet.ends_message) x_message_waits[packet.transit] += credit_wait;
    // The others that have waited for the link to wake go on waiting, behind this one.
    const Duration behind_others = start - ready - credit_wait;
    const Duration woke_for = std::min(std::exchange(output.woke_for, Duration{}), behind_others);
    link.occupy(start, packet.serialisation, behind_others - woke_for, size_bytes, 1);
    link.use.add(traffic.x_use_bins, start, packet.serialisation);
    const Instant end = start + packet.serialisation;
    if (kind.delivers) {
        ++transit.packets_delivered;
        if (packet.ends_message) {
            packet.ready = end + kind.latency;
            traffic.enqueue(link, id, packet);
        }
        return end;
    }
    x_channels[queue_of(id, packet.channel)].credit_bytes -= size_bytes;
    // A faster link waits until the packet's tail will be there in time.
    const Link& next = traffic.x_links[transit.path[packet.hop + 1U]];
    const Duration head_start =
        packet.serialisation - traffic.kind_of(next).serialisation(size_bytes);
    packet.ready = start + kind.latency + (head_start.ps > 0 ? head_start : Duration{});
    if (link.in_flight.push(traffic.x_packets, packet)) schedule_reach(traffic, id);
    return end;
}

void CreditSwitching::free_room(Traffic& traffic, std::uint32_t queue, std::uint64_t size_bytes) {
    Channel& channel = x_channels[queue];
    const Link& link = traffic.x_links[queue / x_channel_count];
    const Duration back = traffic.kind_of(link).latency - x_switch_latency;
    channel.returning.push(*traffic.x_arena, {channel.read_until + back, size_bytes});
    channel.returning_bytes += size_bytes;
    if (channel.is_awaited && channel.returning.size() == 1) schedule_credit(traffic, queue);
}

void CreditSwitching::schedule_credit(Traffic& traffic, std::uint32_t queue) {
    Channel& channel = x_channels[queue];
    traffic.push_event(channel.returning.front().when, engine::EventClass::kCredit, queue,
                       channel.next_sequence++);
}

void CreditSwitching::schedule_reach(Traffic& traffic, LinkId id) {
    Link& link = traffic.x_links[id];
    traffic.push_event(link.in_flight.front().ready, engine::EventClass::kHeadReady, id,
                       link.next_sequence++);
}

Duration CreditSwitching::load(const Traffic& traffic, LinkId id) {
    const Link& link = traffic.x_links[id];
    std::uint64_t before_bytes = x_outputs[id].waiting_bytes;
    if (!traffic.kind_of(link).delivers) {
        for (std::uint32_t channel = 0; channel < x_channel_count; ++channel) {
            Channel& behind = x_channels[queue_of(id, channel)];
            collect_credit(traffic, behind);
            before_bytes += x_buffer_bytes - behind.credit_bytes;
        }
    }
    return later(link.free_at, traffic.x_now) - traffic.x_now +
           traffic.kind_of(link).serialisation(before_bytes);
}

std::uint64_t CreditSwitching::buffered_bytes() const {
    std::uint64_t buffered = 0;
    for (std::size_t queue = 0; queue < std::size_t{x_link_count} * x_channel_count; ++queue) {
        const Channel& channel = x_channels[queue];
        buffered += x_buffer_bytes - channel.credit_bytes - channel.returning_bytes;
    }
    return buffered;
}

std::vector<LinkId> CreditSwitching::find_circle(const Traffic& traffic) const {
    const std::uint32_t queues = x_link_count * x_channel_count;
    std::uint32_t queue = 0;
    while (queue < queues && x_channels[queue].waiting.empty()) ++queue;
    if (queue == queues) return {};
    // Each front waits for room in one other buffer: following that leads into the circle.
    std::vector<std::uint32_t> way;
    std::vector<std::uint32_t> place(queues, kNone);
    while (place[queue] == kNone) {
        if (x_channels[queue].waiting.empty()) return {};
        place[queue] = static_cast<std::uint32_t>(way.size());
        way.push_back(queue);
        const PacketRun& packet = x_channels[queue].waiting.front();
        const LinkId next = traffic.x_transits.at(packet.transit).path[packet.hop + 1U];
        const LinkId link = queue / x_channel_count;
        queue = queue_of(next, channel_on(link, packet.channel, next));
    }
    std::vector<LinkId> circle;
    for (std::size_t step = place[queue]; step < way.size(); ++step) {
        circle.push_back(way[step] / x_channel_count);
    }
    return circle;
}

}  // namespace kumi::network
