#include "wire/sim_wire.hpp"

#include <algorithm>
#include <cstring>

namespace kumi {
namespace {

constexpr MessageKind kind_of(TrafficClass traffic) {
    switch (traffic) {
        case TrafficClass::kEager:
            return MessageKind::kEager;
        case TrafficClass::kRendezvous:
            return MessageKind::kRendezvous;
        case TrafficClass::kControl:
            return MessageKind::kControl;
        case TrafficClass::kPut:
            return MessageKind::kPut;
        case TrafficClass::kGet:
            return MessageKind::kGet;
        case TrafficClass::kInternal:
            return MessageKind::kInternal;
    }
    return MessageKind::kControl;
}

static_assert(kWireHeadBytes == kHeadBytes);

}  // namespace

SimWire::SimWire(RankPort& port, NeededReceives needed) : x_port(port), x_needed(needed) {
    const RunConfiguration& run = port.configuration();
    x_parameters.eager_limit_bytes = run.eager_limit_bytes;
    x_parameters.sends_complete_delivered = run.sends_complete_delivered;
    x_parameters.control_bytes = run.control_bytes;
    x_parameters.send_overhead = run.send_overhead;
    x_parameters.receive_overhead = run.receive_overhead;
    x_parameters.matching = run.matching;
}

Outgoing SimWire::prepare(std::uint32_t target, TrafficClass traffic, std::uint64_t size_bytes,
                          std::uint64_t payload_bytes, const void* head, std::uint64_t tag) {
    const std::uint32_t handle = x_port.prepare(target, kind_of(traffic), payload_bytes);
    Message& message = x_port.message(handle);
    message.size_bytes = size_bytes;
    message.tag = tag;
    std::memcpy(message.head, head, kHeadBytes);
    return {handle, message.payload};
}

void SimWire::send(Outgoing outgoing) { x_port.send(outgoing.handle); }

void SimWire::send_with_notice(Outgoing outgoing) {
    x_port.message(outgoing.handle).wants_notice = true;
    send(outgoing);
}

Message& SimWire::request(std::uint32_t handle, ArrivalAction action, MessageKind reply_kind,
                          std::uint64_t reply_bytes) {
    Message& message = x_port.message(handle);
    message.action = action;
    message.reply_kind = reply_kind;
    message.reply_bytes = reply_bytes;
    return message;
}

void SimWire::fetch(std::uint32_t target, std::uint64_t size_bytes, const void* head,
                    std::uint64_t tag) {
    const Outgoing outgoing =
        prepare(target, TrafficClass::kControl, x_parameters.control_bytes, 0, head, tag);
    request(outgoing.handle, ArrivalAction::kReply, MessageKind::kRendezvous, size_bytes);
    send(outgoing);
}

void SimWire::get(std::uint32_t target, std::uint64_t key, std::uint64_t offset,
                  std::uint64_t size_bytes, const void* head) {
    const Outgoing outgoing =
        prepare(target, TrafficClass::kControl, x_parameters.control_bytes, 0, head, 0);
    Message& message = request(outgoing.handle, ArrivalAction::kGet, MessageKind::kGet, size_bytes);
    message.remote_key = key;
    message.remote_offset = offset;
    send(outgoing);
}

void SimWire::put(Outgoing outgoing, std::uint64_t key, std::uint64_t offset) {
    Message& message = request(outgoing.handle, ArrivalAction::kPut, MessageKind::kControl,
                               x_parameters.control_bytes);
    message.remote_key = key;
    message.remote_offset = offset;
    send(outgoing);
}

void SimWire::expose(std::uint64_t key, std::uint64_t base, std::uint64_t size_bytes) {
    x_port.expose(key, base, size_bytes);
}

void SimWire::withdraw(std::uint64_t key) { x_port.withdraw(key); }

void SimWire::read_peer(std::uint32_t source, std::uint64_t address, void* into,
                        std::size_t size_bytes) {
    x_port.read_memory(source, address, into, size_bytes);
}

bool SimWire::take(Arrival& arrival) {
    for (;;) {
        const bool is_early = x_port.has_early();
        const std::uint32_t handle = x_port.take();
        if (handle == kNoMessage) return false;
        if (x_port.message(handle).action != ArrivalAction::kDeliver) {
            x_port.serve(handle);
            continue;
        }
        arrival = arrival_of(handle, is_early);
        return true;
    }
}

bool SimWire::take_seen(Arrival& arrival) {
    const std::uint32_t handle = x_port.take_seen();
    if (handle == kNoMessage) return false;
    arrival = arrival_of(handle, /*is_early=*/false);
    return true;
}

Arrival SimWire::arrival_of(std::uint32_t handle, bool is_early) const {
    const Message& message = x_port.message(handle);
    const bool is_matched = message.is_matched != 0;
    return {.handle = handle,
            .source = message.source,
            .is_notice = message.is_notice,
            .head = message.head,
            .payload = message.payload,
            .payload_bytes = message.payload_bytes,
            .search_is_paid = is_early ? is_matched : message.is_seen != 0,
            .receive_is_paid = is_matched,
            .is_synchronous = message.is_synchronous != 0};
}

void SimWire::release(std::uint32_t handle) { x_port.discard(handle); }

WaitStyle SimWire::wait_style() const {
    // Before and after virtual time every rank only waits for others, and looks again by itself
    // after a while.
    if (!x_port.in_virtual_time()) return WaitStyle::kNap;
    switch (x_port.call_class()) {
        case CallClass::kPolling:
            return WaitStyle::kPolling;
        case CallClass::kBlocking:
        case CallClass::kBackground:
        case CallClass::kSynchronous:
            return x_port.polls_longer() ? WaitStyle::kWindow : WaitStyle::kBlocking;
        case CallClass::kProbe:
            return WaitStyle::kProbe;
        case CallClass::kLocal:
        case CallClass::kWindow:
            return WaitStyle::kWindow;
    }
    return WaitStyle::kBlocking;
}

void SimWire::wait(const AwaitedReceive& awaited) {
    x_port.describe_wait(awaited.posted, awaited.source, awaited.tag);
    if (wait_style() != WaitStyle::kBlocking) return x_port.block();
    if (awaited.is_all) return x_port.block({{awaited.source, awaited.tag, awaited.ignore}});
    x_port.block({}, find_needed(awaited.receives));
}

std::span<const matching::PostedEntry> SimWire::find_needed(
    std::span<const WaitingReceive> receives) {
    x_calls.resize(x_needed == nullptr ? 0 : receives.size());
    if (!x_calls.empty()) x_calls.resize(x_needed(x_calls.data(), x_calls.size()));
    // A call that has posted one receive itself cannot end without its message.
    const std::uint32_t present = call_number();
    const auto is_of_present = [present](const WaitingReceive& one) { return one.call == present; };
    if (std::ranges::count_if(receives, is_of_present) == 1) x_calls.push_back(present);
    std::ranges::sort(x_calls);
    x_posted.clear();
    bool any = false;
    for (const WaitingReceive& one : receives) {
        const bool is_needed = std::ranges::binary_search(x_calls, one.call);
        any = any || is_needed;
        x_posted.push_back(
            matching::PostedEntry::of({one.source, one.tag, one.ignore}, is_needed ? 1 : 0));
    }
    if (!any) return {};
    return x_posted;
}

}  // namespace kumi
