// Handling what arrives.

#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "transport/transport.hpp"

namespace kumi {
namespace {

/// Empty polls in one MPI call before the rank sleeps, where MPI libraries do much that shows in no
/// message. A call that only asks does not poll as often, unless it really waits.
constexpr std::uint32_t kManyEmptyPolls = 64;

}  // namespace

void Transport::progress() {
    Arrival arrival;
    while (x_wire.take(arrival)) handle(arrival);
}

void Transport::take_seen() {
    Arrival arrival;
    while (x_wire.take_seen(arrival)) handle(arrival);
}

void Transport::count_anew_in_new_call() {
    if (x_call_number == x_wire.call_number()) return;
    x_call_number = x_wire.call_number();
    x_empty_polls = x_empty_peeks = 0;
}

void Transport::note_empty_poll() {
    count_anew_in_new_call();
    if (++x_empty_polls >= empty_polls_to_sleep()) wait();
}

std::uint32_t Transport::empty_polls_to_sleep() {
    switch (x_wire.wait_style()) {
        case WaitStyle::kPolling:
        case WaitStyle::kWindow:
            return kManyEmptyPolls;
        case WaitStyle::kNap:
        case WaitStyle::kProbe:
            break;
        case WaitStyle::kBlocking:
            // If it waits for no message, the MPI library has steps of its own to go: Open MPI
            // takes one in each poll while it makes a communicator.
            if (x_under_way == 0 && posted(true).empty()) return kManyEmptyPolls;
            break;
    }
    return x_empty_polls_to_sleep;
}

bool Transport::note_empty_peek(const matching::Pattern& pattern) {
    if (pattern != x_empty_peek) x_empty_peeks = 0;
    x_empty_peek = pattern;
    return ++x_empty_peeks >= empty_peeks_to_sleep();
}

std::uint32_t Transport::empty_peeks_to_sleep() {
    switch (x_wire.wait_style()) {
        case WaitStyle::kPolling:
        case WaitStyle::kWindow:
        case WaitStyle::kNap:
            return kManyEmptyPolls;
        case WaitStyle::kProbe:
        case WaitStyle::kBlocking:
            break;
    }
    return kEmptyPeeks;
}

void Transport::note_event() {
    x_empty_polls = 0;
    if (posted(true).empty()) return;
    x_wire.come_into_time();
    take_seen();
}

AwaitedReceive Transport::oldest_awaited() {
    const matching::PostedEntry* oldest = posted(true).oldest();
    if (oldest == nullptr) return {.source = matching::kAnySource};
    return {.posted = posted(true).size(),
            .source = oldest->source,
            .tag = oldest->tag,
            .ignore = oldest->ignore};
}

void Transport::wait() {
    x_empty_polls = x_empty_peeks = 0;
    AwaitedReceive awaited = oldest_awaited();
    awaited.is_all =
        awaited.posted == 1 && awaited.source != matching::kAnySource && x_under_way == 0;
    if (awaited.posted > 1) awaited.receives = list_posted();
    x_wire.wait(awaited);
}

void Transport::wait_for_any() {
    x_empty_polls = x_empty_peeks = 0;
    x_wire.wait(oldest_awaited());
}

std::span<const WaitingReceive> Transport::list_posted() {
    x_waiting.clear();
    bool takes_several = false;
    posted(true).for_each([&](const matching::PostedEntry& entry) {
        const Receive& receive = x_receives[entry.id];
        takes_several = receive.multi;
        x_waiting.push_back({receive.call, entry.source, entry.tag, entry.ignore});
        return !takes_several;
    });
    if (takes_several) return {};
    return x_waiting;
}

void Transport::handle(const Arrival& arrival) {
    Head head;
    std::memcpy(&head, arrival.head, sizeof head);
    if (arrival.is_notice) {
        handle_finished(head);
        return x_wire.release(arrival.handle);
    }
    switch (head.kind) {
        case HeadKind::kEager:
        case HeadKind::kRequestToSend:
            return handle_envelope(arrival, head);
        case HeadKind::kRendezvousData:
            return handle_rendezvous_data(arrival, head);
        case HeadKind::kFinished:
            handle_finished(head);
            return x_wire.release(arrival.handle);
        case HeadKind::kPutDone:
        case HeadKind::kGetData:
            return handle_remote_access(arrival, head);
    }
    KUMI_ASSERT(false, "a message of an unknown kind arrived");
}

void Transport::handle_envelope(const Arrival& arrival, const Head& head) {
    const matching::Search search =
        posted(head.tagged)
            .take(
                x_memory, {arrival.source, head.tag}, counting(),
                [&](const matching::PostedEntry& entry) {
                    return has_room(entry.id, head.size_bytes);
                },
                [&](const matching::PostedEntry& entry) { return x_receives[entry.id].multi; });
    if (!arrival.search_is_paid) charge(search);
    if (search.found) return match(search.id, arrival, head);
    const std::uint32_t number = x_messages.make();
    x_messages[number] = {arrival, head};
    unexpected(head.tagged)
        .append(x_memory, matching::UnexpectedEntry::of({arrival.source, head.tag}, number));
    if (arrival.is_synchronous) ++x_synchronous;
}

bool Transport::has_room(std::uint32_t number, std::uint64_t size_bytes) {
    const Receive& receive = x_receives[number];
    return !receive.multi || receive.multi_used + size_bytes <= receive.buffer.size_bytes();
}

std::uint32_t Transport::slice_of(std::uint32_t number, std::uint64_t size_bytes) {
    const std::uint32_t slice_number = x_receives.make();
    Receive& slice = x_receives[slice_number];
    Receive& parent = x_receives[number];
    auto* base = static_cast<std::byte*>(parent.buffer.segments[0].iov_base);
    slice.buffer = Buffer::of(base + parent.multi_used, size_bytes);
    slice.context = parent.context;
    slice.tagged = parent.tagged;
    slice.wants_completion = parent.wants_completion;
    slice.multi_parent = number;
    // Messages in the buffer begin at multiples of 16, fit for any header in them.
    parent.multi_used += (size_bytes + 15) & ~std::uint64_t{15};
    ++parent.multi_slices;
    const std::uint64_t room = parent.buffer.size_bytes();
    if (parent.multi_used > room || room - parent.multi_used < parent.multi_minimum) {
        parent.multi_used = room;
        if (parent.is_posted) posted(parent.tagged).remove(x_memory, number);
        parent.multi = parent.is_posted = false;  // used up: goes with its last slice
    }
    return slice_number;
}

void Transport::match(std::uint32_t number, const Arrival& arrival, const Head& head) {
    if (x_receives[number].multi) number = slice_of(number, head.size_bytes);
    Receive& receive = x_receives[number];
    receive.is_posted = false;
    if (head.kind == HeadKind::kRequestToSend) return begin_fetch(number, arrival, head);
    receive.buffer.scatter(arrival.payload, head.size_bytes);
    x_wire.release(arrival.handle);
    if (!arrival.receive_is_paid) x_wire.spend(x_wire.parameters().receive_overhead);
    finish_receive(number, arrival.source, head);
}

void Transport::begin_fetch(std::uint32_t number, const Arrival& arrival, const Head& head) {
    const Receive* receive = &x_receives[number];
    const std::uint64_t size_bytes = std::min(head.size_bytes, receive->buffer.size_bytes());
    // The sender's buffer is at rest until it is told that it is free, the receiver's belongs to
    // the receive: the bytes may be copied now, only their way takes until later.
    if (arrival.payload_bytes > 0) {
        receive->buffer.scatter(arrival.payload, size_bytes);
    } else {
        std::uint64_t copied = 0;
        for (std::size_t i = 0; i < receive->buffer.count && copied < size_bytes; ++i) {
            const iovec& segment = receive->buffer.segments[i];
            const std::uint64_t part =
                std::min<std::uint64_t>(segment.iov_len, size_bytes - copied);
            if (part == 0) continue;
            x_wire.read_peer(arrival.source, head.address + copied, segment.iov_base, part);
            copied += part;
        }
    }
    x_wire.release(arrival.handle);
    Head data = head;
    data.kind = HeadKind::kRendezvousData;
    data.target_request = x_receives.handle(number);
    ++x_under_way;
    x_wire.fetch(arrival.source, size_bytes, &data, head.tag);
}

void Transport::handle_rendezvous_data(const Arrival& arrival, const Head& head) {
    const std::uint32_t source = arrival.source;
    x_wire.release(arrival.handle);
    if (!x_receives.is_valid(head.target_request)) return;
    --x_under_way;
    Head finished;
    finished.kind = HeadKind::kFinished;
    finished.origin_request = head.origin_request;
    x_wire.spend(x_wire.parameters().receive_overhead);
    finish_receive(x_receives.number_of(head.target_request), source, head);
    x_wire.send(x_wire.prepare(source, TrafficClass::kControl, x_wire.parameters().control_bytes, 0,
                               &finished, 0));
}

void Transport::finish_receive(std::uint32_t number, std::uint32_t source, const Head& head) {
    const Receive* receive = &x_receives[number];
    const std::uint64_t room = receive->discards ? head.size_bytes : receive->buffer.size_bytes();
    Completion completion;
    completion.context = receive->context;
    completion.operation = Completion::Operation::kReceive;
    completion.tagged = receive->tagged;
    completion.source = source;
    completion.tag = head.tag;
    completion.data = head.data;
    completion.has_data = head.has_data;
    completion.size_bytes = std::min(head.size_bytes, room);
    completion.missing_bytes = head.size_bytes - completion.size_bytes;
    if (completion.missing_bytes > 0) completion.status = Completion::Status::kTruncated;
    if (receive->multi_parent != Receive::kNone) {
        completion.buffer = receive->buffer.segments[0].iov_base;
        Receive& parent = x_receives[receive->multi_parent];
        if (--parent.multi_slices == 0 && !parent.multi) {
            completion.buffer_released = true;
            x_receives.give_back(receive->multi_parent);
        }
    }
    const bool report = receive->wants_completion || completion.status != Completion::Status::kOk;
    x_receives.give_back(number);
    if (report) x_sink.complete(completion);
}

void Transport::end(std::uint32_t origin) {
    x_origins[origin].packed.reset();
    x_origins.give_back(origin);
    --x_under_way;
}

void Transport::handle_finished(const Head& head) {
    if (!x_origins.is_valid(head.origin_request)) return;
    const std::uint32_t number = x_origins.number_of(head.origin_request);
    const Origin& origin = x_origins[number];
    if (origin.wants_completion) {
        Completion completion;
        completion.context = origin.context;
        completion.operation = Completion::Operation::kSend;
        completion.tagged = origin.tagged;
        x_sink.complete(completion);
    }
    end(number);
}

void Transport::handle_remote_access(const Arrival& arrival, const Head& head) {
    const bool is_awaited = x_origins.is_valid(head.origin_request);
    const bool is_read = head.kind == HeadKind::kGetData;
    const std::uint32_t number = is_awaited ? x_origins.number_of(head.origin_request) : 0;
    if (is_awaited && is_read)
        x_origins[number].buffer.scatter(arrival.payload, arrival.payload_bytes);
    x_wire.release(arrival.handle);
    if (!is_awaited) return;
    const Origin& origin = x_origins[number];
    Completion completion;
    completion.context = origin.context;
    completion.operation = is_read ? Completion::Operation::kRead : Completion::Operation::kWrite;
    x_sink.count_remote_access(completion.operation);
    if (origin.wants_completion) x_sink.complete(completion);
    end(number);
}

}  // namespace kumi
