#pragma once

#include <cstdint>
#include <utility>

#include "conductor/state.hpp"

namespace kumi {

/// Puts a filled message on its way at its `sent` time: into the network in virtual time, to its
/// target at once in real time. The caller holds the baton (virtual) or the real-time lock.
void post(ConductorState& state, std::uint32_t message);

/// The same with a message that has its seal.
void dispatch(ConductorState& state, std::uint32_t message);

/// Executes the next event of the network. Arrivals may make ranks runnable.
void execute_next_event(ConductorState& state);

/// Carries out a request for memory access (kPut, kGet) that has arrived, and sends the answer.
void serve(ConductorState& state, std::uint32_t message);

/// Takes the next message out of a rank's inbox; kNoMessage if it is empty.
std::uint32_t take(ConductorState& state, std::uint32_t rank);

/// Gives a message and its payload back. The caller must have taken it.
void discard(ConductorState& state, std::uint32_t message);

/// The rank, which is blocked, goes on at its clock: when no other has a smaller one and all that
/// happens before has happened.
void make_runnable(ConductorState& state, std::uint32_t rank);

/// The rank is blocked, from its clock on.
void begin_wait(ConductorState& state, std::uint32_t rank);

/// Puts a stretch of time that ends at the rank's clock, but not behind the limit of time, on
/// record, and starts another. One that goes on with the state before makes that one longer, but
/// for waits of different calls.
void enter_state(ConductorState& state, std::uint32_t rank, RankState next);
/// The state whose total a stretch counts towards: sleeps are waits there.
constexpr RankState counts_as(RankState state) {
    return state == RankState::kSleep ? RankState::kWait : state;
}
/// What the rank has spent in `wanted` so far, the present stretch included.
inline Duration time_in(const RankSlot& slot, RankState wanted) {
    Duration time = slot.state_total[static_cast<int>(wanted)];
    if (counts_as(slot.state) == wanted) time += slot.clock - slot.state_begin;
    return time;
}

/// The stretch that is put on record last waits for what follows: that may be more of it.
void record_last_stretch(ConductorState& state, std::uint32_t rank);

/// Calls `look(index, message)` with what is in the inbox of `rank`, in the order of arrival, until
/// it says true. Condemns the run if the inbox is broken.
template <class Look>
void look_through(ConductorState& state, std::uint32_t rank, Look&& look) {
    if (state.slot(rank).inbox.look_through(state.messages, std::forward<Look>(look))) return;
    state.condemn(VerdictKind::kCorrupt, rank, 0, Inbox::kBroken);
}

/// Why the message `index` cannot be what a rank of this run posted; nullptr if all is well.
const char* find_fault(const ConductorState& state, std::uint32_t index);

/// Why `rank` cannot have been sent the message `index`; nullptr if all is well.
const char* find_fault_for(const ConductorState& state, std::uint32_t rank, std::uint32_t index);

/// Condemns the run: what `rank` was to take makes no sense, and nothing behind it can be trusted
/// either. Returns kNoMessage.
std::uint32_t reject(ConductorState& state, std::uint32_t rank, const char* fault);

}  // namespace kumi
