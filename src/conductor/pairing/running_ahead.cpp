#include "conductor/pairing/running_ahead.hpp"

namespace kumi::conductor {

// Where links take wake frames, each call wants to know its times.
bool can_run_ahead(const ConductorState& state) {
    return state.configuration.runs_ahead && !state.network->takes_wake_frames();
}

bool note_other_call(ConductorState& state, std::uint32_t rank, CallClass call_class) {
    RankSlot& slot = state.slot(rank);
    if (call_class == CallClass::kBackground || call_class == CallClass::kWindow)
        slot.held.sees_internal = true;
    hold_internal(state, rank, /*is_known=*/false);
    // The library goes on with nonblocking collectives as often as it makes progress.
    if (call_class == CallClass::kBackground) keep_in_time(slot);
    if (call_class != CallClass::kWindow) return false;
    // One-sided communication is noticed by no receive, and others may look at the memory of a
    // process.
    keep_all_in_time(state);
    state.scheduling.has_windows = true;
    const bool is_first = !slot.facts.uses_windows;
    slot.facts.uses_windows = true;
    return is_first;
}

bool is_held(const RankSlot& slot, const endpoint::Request& request) {
    return slot.held.holds_internal && !request.tagged &&
           request.kind == endpoint::RequestKind::kReceive;
}

bool is_certain(const ConductorState& state, const endpoint::Request& request, bool is_alone) {
    if (request.kind == endpoint::RequestKind::kSend)
        return request.is_copied || request.stash != nullptr ||
               request.capacity_bytes <= kMostStashed;
    const std::uint32_t message =
        request.message != endpoint::kNone ? request.message : request.paired;
    if (message == endpoint::kNone) return false;
    return is_alone || state.messages.at(message).is_synchronous == 0;
}

}  // namespace kumi::conductor
