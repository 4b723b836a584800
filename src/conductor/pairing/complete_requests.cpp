#include "conductor/pairing/complete_requests.hpp"

#include "conductor/ranks/message_checks.hpp"

namespace kumi::conductor {

using endpoint::kNone;
using endpoint::Request;
using endpoint::RequestKind;
using endpoint::RequestState;

std::uint32_t take_complete(ConductorState& state, std::uint32_t rank) {
    endpoint::Endpoint& endpoint = state.slot(rank).endpoint;
    const std::uint32_t number = endpoint.first_complete;
    if (number == kNone) return kNone;
    endpoint.first_complete = state.requests[number].next_complete;
    if (endpoint.first_complete == kNone) endpoint.last_complete = kNone;
    return number;
}

void show_internal(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    while (slot.held.first != kNone) {
        const std::uint32_t number = slot.held.first;
        slot.held.first = state.requests[number].next_complete;
        append_complete(state.requests, number, slot.endpoint.first_complete,
                        slot.endpoint.last_complete);
        slot.held.may_answer = true;
    }
    slot.held.last = kNone;
}

void retire_taken(ConductorState& state, std::uint32_t number) {
    Request& request = state.requests[number];
    if (request.kind == RequestKind::kSend && !request.is_copied) return;
    // A receive for several messages lasts as long as one of them is in it.
    if (request.parts > 0) return;
    if (request.message != kNone) discard(state, request.message);
    if (request.stash != nullptr) state.arena->release(request.stash, request.capacity_bytes);
    state.requests.give_back(number);
}

}  // namespace kumi::conductor
