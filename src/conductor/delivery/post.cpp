#include "conductor/delivery/post.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/memory/prefetch.hpp"
#include "conductor/logs/operation_log.hpp"
#include "conductor/ranks/message_checks.hpp"
#include "conductor/system/futex.hpp"
#include "conductor/system/process_memory.hpp"

namespace kumi::conductor {
namespace {

bool is_control(MessageKind kind) { return kind == MessageKind::kControl; }

void count_sent(ConductorState& state, const Message& message) {
    ++state.totals.posts;
    if (state.phase.load(std::memory_order_relaxed) != Phase::kVirtual) return;
    if (is_control(message.kind)) {
        ++state.totals.control_messages;
        state.totals.control_bytes += message.size_bytes;
        return;
    }
    ++state.totals.messages;
    state.totals.bytes += message.size_bytes;
    RankSlot& source = state.slot(message.source);
    ++source.totals.messages_sent;
    source.totals.bytes_sent += message.size_bytes;
}

void record_arrival(ConductorState& state, const Message& message) {
    if (!is_control(message.kind)) {
        RankSlot& target = state.slot(message.target);
        ++target.totals.messages_received;
        target.totals.bytes_received += message.size_bytes;
    }
    if (!state.recorder.full()) return;
    const network::Network::Arrival& arrival = state.network->arrival();
    const MessageRecord record{.sequence = message.sequence,
                               .source = message.source,
                               .target = message.target,
                               .size_bytes = message.size_bytes,
                               .sent_ps = message.sent.ps,
                               .arrived_ps = message.arrived.ps,
                               .zero_load_ps = arrival.zero_load.ps,
                               .tag = message.tag,
                               .kind = static_cast<std::uint8_t>(message.kind),
                               .credit_wait_ps = credit_wait_on_record(arrival.credit_wait)};
    state.record(message.source, record);
}

/// Turns an arrived request into its answer and sends it back.
void answer(ConductorState& state, std::uint32_t index) {
    Message& message = state.messages.at(index);
    const std::uint64_t request = message.sequence;
    // A rank whose memory no other process reaches serves the request itself, in its own time.
    const bool by_interface =
        message.action == ArrivalAction::kReply || state.can_reach_memory.load();
    std::swap(message.source, message.target);
    message.kind = message.reply_kind;
    message.size_bytes = message.reply_bytes;
    RankSlot& source = state.slot(message.source);
    message.sequence =
        by_interface ? kFirstAnswer + source.totals.answers_sent++ : source.next_sequence++;
    message.action = ArrivalAction::kDeliver;
    message.is_answer = 1;
    message.sent = message.arrived;
    if (by_interface)
        log_answer(state, message, request);
    else
        log_send(state, message);
    post(state, index);
}

void fail_memory(ConductorState& state, const Message& message, const char* why) {
    char text[200];
    std::snprintf(text, sizeof text, "remote access to rank %u's memory, key %llu, offset %llu: %s",
                  message.target, static_cast<unsigned long long>(message.remote_key),
                  static_cast<unsigned long long>(message.remote_offset), why);
    state.condemn(VerdictKind::kRemoteAccess, message.source, errno, text);
}

void put(ConductorState& state, std::uint32_t index) {
    Message& message = state.messages.at(index);
    const RankSlot& target = state.slot(message.target);
    const auto address =
        target.regions.resolve(message.remote_key, message.remote_offset, message.payload_bytes);
    if (!address) return fail_memory(state, message, "not in any region that is exposed there");
    if (!write_process(target.facts.pid.load(std::memory_order_relaxed), *address, message.payload,
                       message.payload_bytes))
        return fail_memory(state, message, std::strerror(errno));
    release_payload(state, message);
    answer(state, index);
}

void get(ConductorState& state, std::uint32_t index) {
    Message& message = state.messages.at(index);
    const RankSlot& target = state.slot(message.target);
    const auto address =
        target.regions.resolve(message.remote_key, message.remote_offset, message.reply_bytes);
    if (!address) return fail_memory(state, message, "not in any region that is exposed there");
    release_payload(state, message);
    if (message.reply_bytes > 0) {
        message.payload = static_cast<std::byte*>(state.arena->allocate(message.reply_bytes));
        message.payload_bytes = message.reply_bytes;
    }
    if (!read_process(target.facts.pid.load(std::memory_order_relaxed), *address, message.payload,
                      message.payload_bytes))
        return fail_memory(state, message, std::strerror(errno));
    answer(state, index);
}

/// Makes the notice for the source of a message whose last byte has just arrived. The source gets
/// it at once: a network interface knows it from the acknowledgement, of which neither time nor
/// traffic is modelled.
std::uint32_t make_notice(ConductorState& state, const Message& message) {
    Message notice;
    notice.source = message.target;
    notice.target = message.source;
    notice.kind = MessageKind::kControl;
    notice.is_answer = 1;
    notice.is_notice = true;
    notice.sent = notice.arrived = message.arrived;
    notice.head = message.head;
    notice.seal = notice.compute_seal();
    const std::uint32_t index = state.messages.acquire();
    state.messages.at(index) = notice;
    --state.slot(notice.target).due;
    return index;
}

/// Its rank looks when it hears the bell.
void deliver_in_real_time(ConductorState& state, std::uint32_t index) {
    RankSlot& target = state.slot(state.messages.at(index).target);
    target.inbox.append(state.messages, index);
    target.bell.fetch_add(1, std::memory_order_release);
    futex_notify(target.bell);
}

void arrive_in_real_time(ConductorState& state, std::uint32_t index) {
    const Arrived arrived = arrive(state, index, state.messages.at(index).sent);
    if (arrived.notice != kNoMessage) deliver_in_real_time(state, arrived.notice);
    if (arrived.message != kNoMessage) deliver_in_real_time(state, arrived.message);
}

/// Something is on its way to the rank, and not there before `soonest`.
void make_due(RankSlot& slot, Instant soonest) {
    slot.due_from = slot.due == 0 ? soonest : earlier(slot.due_from, soonest);
    ++slot.due;
}

/// A message is on its way to `rank`: fetches memory in advance that will be needed when it
/// arrives.
void expect_arrival(const ConductorState& state, std::uint32_t rank) {
    const RankSlot& slot = state.ranks[rank];
    if (slot.stream.empty()) return;
    prefetch_line(&slot.stream.upcoming(0));
    prefetch_line(&slot.endpoint);
}

/// Puts a message that has its seal on its way.
void dispatch(ConductorState& state, std::uint32_t index) {
    Message& message = state.messages.at(index);
    count_sent(state, message);
    // An answer has been due to the asker since the request, whichever process gives it.
    const bool asks = message.action != ArrivalAction::kDeliver;
    RankSlot& sender = state.slot(message.source);
    RankSlot& receiver = state.slot(message.target);
    const network::HostId source = sender.host;
    const network::HostId target = receiver.host;
    const Instant soonest =
        message.sent + (source == target ? state.network->loopback_latency() : state.lookahead);
    if (message.is_answer == 0) make_due(asks ? sender : receiver, soonest);
    if (message.wants_notice) make_due(sender, soonest);
    if (asks && message.action != ArrivalAction::kReply) make_due(receiver, soonest);
    if (state.phase.load(std::memory_order_relaxed) != Phase::kVirtual)
        return arrive_in_real_time(state, index);
    // Only a clock or a queue that was damaged gets there.
    if (message.sent < state.network->now())
        return state.condemn(VerdictKind::kCorrupt, message.source, 0, "it was sent in the past");
    expect_arrival(state, message.target);
    const std::uint64_t link_bytes =
        state.bit_errors == nullptr
            ? message.size_bytes
            : state.bit_errors->bytes_on_links(*state.network, source, target, message);
    const bool is_on_its_way = state.network->inject(message.sent, source, target, link_bytes,
                                                     message.source, message.sequence, index);
    if (is_on_its_way) return;
    state.condemn(VerdictKind::kNoRoute, message.source, static_cast<std::int32_t>(message.target),
                  "their hosts are not connected");
}

}  // namespace

void post(ConductorState& state, std::uint32_t index) {
    Message& message = state.messages.at(index);
    message.seal = message.compute_seal();
    dispatch(state, index);
}

void post_by_rank(ConductorState& state, std::uint32_t index, bool is_request, bool is_sealed) {
    Message& message = state.messages.at(index);
    RankSlot& slot = state.slot(message.source);
    if (!is_sealed) message.seal = message.compute_seal();
    message.number(slot.next_sequence++);
    if (slot.sent != nullptr)
        slot.sent->note(message.target, message.sent, message.size_bytes, is_request);
    log_send(state, message);
    dispatch(state, index);
}

Arrived arrive(ConductorState& state, std::uint32_t index, Instant when) {
    if (const char* fault = find_fault(state, index)) {
        state.condemn(VerdictKind::kCorrupt, 0, 0, fault);
        return {};
    }
    Message& message = state.messages.at(index);
    message.arrived = when;
    if (state.phase.load(std::memory_order_relaxed) == Phase::kVirtual)
        record_arrival(state, message);
    switch (message.action) {
        case ArrivalAction::kDeliver:
            --state.slot(message.target).due;
            return {.notice = message.wants_notice ? make_notice(state, message) : kNoMessage,
                    .message = index};
        case ArrivalAction::kPut:
        case ArrivalAction::kGet:
            --state.slot(message.target).due;
            // Without access to its memory the target must serve the request itself.
            if (!state.can_reach_memory) return {.message = index};
            serve(state, index);
            return {};
        case ArrivalAction::kReply:
            answer(state, index);
            return {};
    }
    return {};
}

void serve(ConductorState& state, std::uint32_t index) {
    if (state.messages.at(index).action == ArrivalAction::kPut)
        put(state, index);
    else
        get(state, index);
}

}  // namespace kumi::conductor
