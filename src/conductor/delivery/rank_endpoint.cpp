#include "conductor/delivery/rank_endpoint.hpp"

#include "conductor/delivery/services.hpp"
#include "conductor/pairing/complete_requests.hpp"
#include "conductor/pairing/pairing.hpp"
#include "conductor/pairing/running_ahead.hpp"
#include "conductor/ranks/message_checks.hpp"

namespace kumi::conductor {

using endpoint::kNone;
using endpoint::Request;
using endpoint::RequestKind;
using endpoint::RequestState;

void RankEndpoint::charge(Duration span) {
    if (x_state.phase.load(std::memory_order_relaxed) == Phase::kVirtual)
        x_state.slot(x_rank).clock += span;
}

Instant RankEndpoint::now() const { return x_state.slot(x_rank).clock; }

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

void RankEndpoint::delivered(std::uint32_t, endpoint::Delivery) {
    KUMI_ASSERT(false, "a rank delivers to itself");
}

void RankEndpoint::completed(std::uint32_t number) {
    Request& request = x_state.requests[number];
    if (request.is_taken) return retire(x_state, number);
    RankSlot& slot = x_state.slot(x_rank);
    if (is_held(slot, request))
        return append_complete(x_state.requests, number, slot.held.first, slot.held.last);
    const bool is_message = request.kind == RequestKind::kReceive && request.message != kNone;
    if (!request.tagged || request.kind == RequestKind::kRead ||
        request.kind == RequestKind::kWrite ||
        (is_message && x_state.messages.at(request.message).is_synchronous != 0))
        slot.held.may_answer = true;
    append_complete(x_state.requests, number, slot.endpoint.first_complete,
                    slot.endpoint.last_complete);
}

}  // namespace kumi::conductor
