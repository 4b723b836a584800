#include "conductor/rank_endpoint.hpp"

#include "conductor/inbox.hpp"
#include "conductor/operation_log.hpp"
#include "conductor/pairing.hpp"
#include "conductor/post.hpp"
#include "conductor/rank_interface.hpp"
#include "conductor/running_ahead.hpp"

namespace kumi {

using endpoint::kNone;
using endpoint::Request;
using endpoint::RequestKind;
using endpoint::RequestState;

void RankEndpoint::charge(Duration span) {
    if (x_state.phase.load(std::memory_order_relaxed) == Phase::kVirtual)
        x_state.slot(x_rank).clock += span;
}

std::uint32_t RankEndpoint::prepare_control(std::uint32_t target, const endpoint::Head& head) {
    const std::uint32_t index = x_state.messages.acquire();
    Message& message = x_state.messages.at(index);
    message.source = x_rank;
    message.target = target;
    message.kind = MessageKind::kControl;
    message.size_bytes = x_state.configuration.endpoint.control_bytes;
    message.head = head;
    return index;
}

void RankEndpoint::send(std::uint32_t target, const endpoint::Head& head) {
    send_now(x_state, prepare_control(target, head), /*is_request=*/false);
}

std::uint32_t RankEndpoint::prepare_fetch(std::uint32_t target, std::uint64_t size_bytes,
                                          const endpoint::Head& head) {
    const std::uint32_t index = prepare_control(target, head);
    Message& message = x_state.messages.at(index);
    message.tag = head.tag;
    message.action = ArrivalAction::kReply;
    message.reply_kind = MessageKind::kRendezvous;
    message.reply_bytes = size_bytes;
    return index;
}

void RankEndpoint::fetch(std::uint32_t target, std::uint64_t size_bytes,
                         const endpoint::Head& head) {
    send_now(x_state, prepare_fetch(target, size_bytes, head), /*is_request=*/false);
}

void RankEndpoint::release(std::uint32_t message) { discard(x_state, message); }

endpoint::Arrival RankEndpoint::kept(std::uint32_t index) {
    const Message& message = x_state.messages.at(index);
    return {.message = index,
            .source = message.source,
            .owner = x_rank,
            .is_notice = message.is_notice,
            .head = message.head};
}

void RankEndpoint::matched(std::uint32_t request, std::uint32_t message) {
    const bool is_tagged = x_state.requests[request].tagged;
    if (is_tagged && x_state.phase.load(std::memory_order_relaxed) == Phase::kVirtual)
        confirm_pair(x_state, x_rank, request, message);
}

namespace {

/// Requests that are complete are lists, which the process takes from the first on.
void append(ConductorState& state, std::uint32_t number, std::uint32_t& first,
            std::uint32_t& last) {
    state.requests[number].next_complete = kNone;
    (last == kNone ? first : state.requests[last].next_complete) = number;
    last = number;
}

}  // namespace

void RankEndpoint::delivered(std::uint32_t, endpoint::Delivery) {
    KUMI_ASSERT(false, "a rank delivers to itself");
}

void RankEndpoint::completed(std::uint32_t number) {
    Request& request = x_state.requests[number];
    if (request.is_taken) return retire(x_state, number);
    RankSlot& slot = x_state.slot(x_rank);
    if (is_held(slot, request)) return append(x_state, number, slot.first_held, slot.last_held);
    const bool is_message = request.kind == RequestKind::kReceive && request.message != kNone;
    if (!request.tagged || request.kind == RequestKind::kRead ||
        request.kind == RequestKind::kWrite ||
        (is_message && x_state.messages.at(request.message).is_synchronous != 0))
        slot.may_answer = true;
    append(x_state, number, slot.endpoint.first_complete, slot.endpoint.last_complete);
}

void show_internal(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    while (slot.first_held != kNone) {
        const std::uint32_t number = slot.first_held;
        slot.first_held = state.requests[number].next_complete;
        append(state, number, slot.endpoint.first_complete, slot.endpoint.last_complete);
        slot.may_answer = true;
    }
    slot.last_held = kNone;
}

std::uint32_t take_complete(ConductorState& state, std::uint32_t rank) {
    endpoint::Endpoint& endpoint = state.slot(rank).endpoint;
    const std::uint32_t number = endpoint.first_complete;
    if (number == kNone) return kNone;
    endpoint.first_complete = state.requests[number].next_complete;
    if (endpoint.first_complete == kNone) endpoint.last_complete = kNone;
    return number;
}

void retire(ConductorState& state, std::uint32_t number) {
    Request& request = state.requests[number];
    if (request.state != RequestState::kComplete || !request.is_taken || request.is_awaited) return;
    if (request.kind == RequestKind::kSend && !request.is_copied) return;
    // A receive for several messages lasts as long as one of them is in it.
    if (request.parts > 0) return;
    if (request.message != kNone) discard(state, request.message);
    if (request.stash != nullptr) state.arena->release(request.stash, request.capacity_bytes);
    state.requests.give_back(number);
}

void send_now(ConductorState& state, std::uint32_t index, bool is_request) {
    Message& message = state.messages.at(index);
    RankSlot& slot = state.slot(message.source);
    message.sent = slot.clock;
    Duration after{};
    if (state.services != nullptr) after = use_service(state, message);
    message.sequence = slot.next_sequence++;
    message.seal = message.compute_seal();
    if (slot.sent != nullptr)
        slot.sent->note(message.target, message.sent, message.size_bytes, is_request);
    log_send(state, message);
    dispatch(state, index);
    slot.clock += after;
}

bool look_at_arrivals(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    const bool takes_any = slot.endpoint.by_interface && take_deliveries(state, rank);
    if (slot.inbox.empty()) return takes_any;
    RankEndpoint endpoint(state, rank);
    for (;;) {
        const std::uint32_t index = take(state, rank);
        if (index == kNoMessage) return true;
        const Message& message = state.messages.at(index);
        if (!message.is_notice) log_receive(state, message);
        if (message.action == ArrivalAction::kDeliver) {
            endpoint.look_at(index);
            continue;
        }
        slot.to_serve.append(state.messages, index);
        slot.may_answer = true;
    }
}

}  // namespace kumi
