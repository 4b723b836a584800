// A network whose links save power, and its wake frames: see FabricPower and WakeFrames.
#include <algorithm>

#include "network/network.hpp"

namespace kumi::network {

/// Frames that are sent, by rank, and frames on their way, by link, are ordered apart.
constexpr std::uint32_t kOnTheWay = 1U << 31;

void Network::send_wake_frame(Instant when, HostId source, HostId target, Duration hold,
                              std::uint32_t messages, std::uint32_t order_source,
                              std::uint64_t order_sequence) {
    KUMI_ASSERT(when >= x_now, "a wake frame is sent in the past");
    KUMI_ASSERT(source < x_hosts && target < x_hosts, "a path between hosts that are not there");
    const Path path = find_path(source, target);
    if (source == target || path.length == 0) return;
    x_power->count_frame();
    const std::uint32_t index = x_wake_frames->acquire();
    WakeFrames::Frame& frame = x_wake_frames->at(index);
    frame.path = x_finder == nullptr ? TransitPath(path) : TransitPath::copy_of(path, *x_arena);
    frame.until = when + lead_along(frame.path, 0) + hold;
    frame.messages = messages;
    push_event(when, engine::EventClass::kWake, order_source, order_sequence, index);
}

void Network::pass_wake_frame(const engine::Event& event) {
    const auto index = static_cast<std::uint32_t>(event.payload);
    WakeFrames::Frame& frame = x_wake_frames->at(index);
    if (frame.hop == 0 && x_now > x_wake_frames->end()) return forget_wake_frame(index);
    const LinkId id = frame.path[frame.hop];
    Link& link = x_links[id];
    const LinkKind& kind = kind_of(link);
    const bool knows = x_power->is_called(id);
    Instant leaves = x_now;
    if (x_power->description().wakes_all_at_once) {
        x_power->ask(id, x_now, link.free_at);
    } else {
        const std::uint64_t size_bytes = x_power->description().frame_bytes;
        const Duration serialisation = kind.serialisation(size_bytes);
        const Instant active = x_power->carry(id, x_now, x_now, link.free_at, Cargo::kWakeFrame);
        leaves = link.reserve(x_now, active, serialisation, size_bytes, 1);
        link.use.add(x_use_bins, leaves, serialisation);
    }
    if (frame.is_from_queue) {
        x_power->expect(id, frame.until, knows);
    } else {
        x_power->announce(id, frame.until, frame.messages);
    }
    frame.until += kind.latency;
    if (++frame.hop < frame.path.length()) {
        return push_event(leaves + kind.latency, engine::EventClass::kWake, kOnTheWay | id,
                          x_wake_frames->next_sequence(id), index);
    }
    forget_wake_frame(index);
}

void Network::forget_wake_frame(std::uint32_t index) {
    if (x_finder != nullptr) x_wake_frames->at(index).path.release_copy(*x_arena);
    x_wake_frames->release(index);
}

void Network::wake_ahead(const Transit& transit, std::uint16_t hop, Instant start) {
    if (start <= x_now || !x_power->description().queues_wake) return;
    const LinkId id = transit.path[hop];
    const auto next = static_cast<std::uint16_t>(hop + 1U);
    const Duration latency = kind_of(x_links[id]).latency;
    Instant leaves = later(x_now, start - lead_along(transit.path, next));
    // A frame that is a packet passes what is queued, but it, too, needs the link.
    if (!x_power->description().wakes_all_at_once) leaves = later(leaves, x_power->awake_at(id));
    if (leaves >= start) return;
    const std::uint32_t index = x_wake_frames->acquire();
    x_wake_frames->at(index) = {
        .path = x_finder == nullptr ? transit.path : transit.path.copy(*x_arena),
        .until = start + latency,
        .hop = next,
        .is_from_queue = true};
    push_event(leaves + latency, engine::EventClass::kWake, kOnTheWay | id,
               x_wake_frames->next_sequence(id), index);
}

Duration Network::wake_lead(HostId source, HostId target) const {
    if (x_power == nullptr || source == target) return {};
    return lead_along(TransitPath(find_path(source, target)), 0);
}

Duration Network::lead_along(const TransitPath& path, std::uint32_t hop) const {
    const PowerDescription& power = x_power->description();
    const bool crosses = !power.wakes_all_at_once;
    Duration frame{};  // When it asks for a link,
    Duration data{};   // and when data that have left as early as it reach that.
    Duration lead{};
    for (; hop < path.length(); ++hop) {
        const LinkKind& link = kind_of(x_links[path[hop]]);
        const Duration active = frame + longest_wake(power, power.mode_count);
        const Duration usable = crosses ? active + link.serialisation(power.frame_bytes) : active;
        lead = std::max(lead, usable - data);
        frame = (crosses ? active : frame) + link.latency;
        data += link.latency;
    }
    return lead;
}

}  // namespace kumi::network
