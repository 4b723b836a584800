#include "conductor/ranks/rank_states.hpp"

namespace kumi::conductor {
namespace {

/// This state and those after it: the rank does nothing.
constexpr auto kFirstWaiting = static_cast<std::uint8_t>(RankState::kWait);

/// The stretch that ends: more of the last one, or another. Few runs record any.
[[gnu::noinline]] void note_stretch(ConductorState& state, std::uint32_t rank,
                                    const StateRecord& stretch) {
    StateRecord& last = state.slot(rank).turn.last_stretch;
    const bool goes_on =
        last.end_ps > 0 && last.end_ps == stretch.begin_ps && last.state == stretch.state;
    if (!goes_on) {
        record_last_stretch(state, rank);
        last = stretch;
    }
    last.end_ps = stretch.end_ps;
}

/// A call ends, and its wait with it, also if the next call waits at once.
[[gnu::noinline]] void end_last_wait(ConductorState& state, std::uint32_t rank) {
    record_last_stretch(state, rank);
    state.slot(rank).turn.last_stretch = {};
}

}  // namespace

void enter_state(ConductorState& state, std::uint32_t rank, RankState next) {
    RankSlot& slot = state.slot(rank);
    if (!slot.clock.is_whole())
        state.condemn(VerdictKind::kCorrupt, rank, 0, "its clock was overwritten");
    const Instant now = earlier(slot.clock, state.configuration.time_limit);
    const Duration length = now - slot.state_begin;
    if (length.ps > 0) {
        slot.totals.by_state[static_cast<int>(counts_as(slot.state))] += length;
        if (state.recorder.full())
            note_stretch(
                state, rank,
                {slot.state_begin.ps, now.ps, rank, static_cast<std::uint8_t>(slot.state), {}});
    }
    if (next == RankState::kCompute && slot.turn.last_stretch.state >= kFirstWaiting)
        end_last_wait(state, rank);
    slot.state_begin = now;
    slot.state = next;
}

void record_last_stretch(ConductorState& state, std::uint32_t rank) {
    const StateRecord& stretch = state.slot(rank).turn.last_stretch;
    if (stretch.end_ps != 0) state.record(rank, stretch);
}

}  // namespace kumi::conductor
