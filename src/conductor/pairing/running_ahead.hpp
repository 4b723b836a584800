#pragma once

#include <cstdint>

#include "conductor/pairing/complete_requests.hpp"
#include "conductor/segment/state.hpp"

/// Which processes may run ahead of their ranks' clocks, and of what they may be sure: decided here
/// and nowhere else. Pairs of receives and messages are made in pairing.hpp.
namespace kumi::conductor {

/// A process that runs ahead copies no larger payload only in order to run on.
inline constexpr std::uint64_t kMostStashed = std::uint64_t{1} << 20;

/// Whether processes of this run may run ahead at all.
bool can_run_ahead(const ConductorState& state);

/// Whether a process may be ahead of its rank's clock inside a call of this class: the call neither
/// returns a time nor looks at what has arrived so far.
constexpr bool may_be_ahead_in(CallClass call_class) {
    return call_class == CallClass::kBlocking || call_class == CallClass::kSynchronous;
}

/// The rank's process does not run ahead any more. If it is ahead now, it is until it must be
/// synchronised.
inline void keep_in_time(RankSlot& slot) {
    slot.facts.stays_in_time.store(true, std::memory_order_relaxed);
}

/// The same for all ranks.
inline void keep_all_in_time(ConductorState& state) { state.scheduling.stays_in_time = true; }

/// The MPI library's own messages, which no program's receive is for, are not certain: a process
/// that runs ahead takes its messages before one of those that came at the same time, or earlier.
/// So that it makes no difference which runs ahead, no process sees them in a call in which it may
/// be ahead, unless it waits for something unknown. They are held back until its next other call.
/// From its first nonblocking collective, partitioned request or window on a rank sees them in
/// every call: before that its library has nothing to answer to them.
bool is_held(const RankSlot& slot, const endpoint::Request& request);

/// The rank, which is synchronised, waits: for requests that are known, or perhaps for a message of
/// its MPI library.
inline void hold_internal(ConductorState& state, std::uint32_t rank, bool is_known) {
    RankSlot& slot = state.slot(rank);
    slot.held.holds_internal = is_known && !slot.held.sees_internal;
    if (!slot.held.holds_internal) show_internal(state, rank);
}

/// A synchronised rank begins a call of a class in which it may not be ahead: some of them put an
/// end to running ahead. Returns whether the rank has yet to see what happened up to its clock,
/// because nothing is known of how far other processes have come in real time.
bool note_other_call(ConductorState& state, std::uint32_t rank, CallClass call_class);

/// The same for any class.
inline bool note_call(ConductorState& state, std::uint32_t rank, CallClass call_class) {
    if (!may_be_ahead_in(call_class)) return note_other_call(state, rank, call_class);
    hold_internal(state, rank, /*is_known=*/true);
    return false;
}

/// Whether the process may take the request although it is not complete: its message or end is
/// certain. `is_alone`: it awaits no other request. Of several messages, each one that is to be
/// answered gets its answer when it has arrived.
bool is_certain(const ConductorState& state, const endpoint::Request& request, bool is_alone);

}  // namespace kumi::conductor
