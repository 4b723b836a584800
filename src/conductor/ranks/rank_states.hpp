#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

/// What each rank does with its time: the states that its clock goes through, their totals and
/// their records.
namespace kumi::conductor {

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
    Duration time = slot.totals.by_state[static_cast<int>(wanted)];
    if (counts_as(slot.state) == wanted) time += slot.clock - slot.state_begin;
    return time;
}

/// The stretch that is put on record last waits for what follows: that may be more of it.
void record_last_stretch(ConductorState& state, std::uint32_t rank);

}  // namespace kumi::conductor
