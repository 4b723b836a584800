#include "conductor/ranks/rank_states.hpp"

namespace kumi::conductor {
namespace {

/// This state and those after it: the rank does nothing.
constexpr auto kFirstWaiting = static_cast<std::uint8_t>(RankState::kWait);

/// The stretch that ends: more of the last one, or another.
void note_stretch(ConductorState& state, std::uint32_t rank, const StateRecord& stretch) {
    StateRecord& last = state.slot(rank).turn.last_stretch;
    const bool goes_on =
        last.end_ps > 0 && last.end_ps == stretch.begin_ps && last.state == stretch.state;
    if (!goes_on) {
        record_last_stretch(state, rank);
        last = stretch;
    }
    last.end_ps = stretch.end_ps;
}

/// Puts on record that the rank was in state `before` from `begin` until now, when `next` begins.
/// Few runs do.
[[gnu::noinline]] void note_change(ConductorState& state, std::uint32_t rank, Instant begin,
                                   RankState before, RankState next) {
    const RankSlot& slot = state.slot(rank);
    const Instant now = slot.state_begin;
    if (now > begin)
        note_stretch(state, rank, {begin.ps, now.ps, rank, static_cast<std::uint8_t>(before), {}});
    // A call ends, and its wait with it, also if the next call waits at once.
    if (next == RankState::kCompute && slot.turn.last_stretch.state >= kFirstWaiting) {
        record_last_stretch(state, rank);
        state.slot(rank).turn.last_stretch = {};
    }
}

[[gnu::cold, gnu::noinline]] void condemn_clock(ConductorState& state, std::uint32_t rank) {
    state.condemn(VerdictKind::kCorrupt, rank, 0, "its clock was overwritten");
}

}  // namespace

void enter_state(ConductorState& state, std::uint32_t rank, RankState next) {
    RankSlot& slot = state.slot(rank);
    if (!slot.clock.is_whole()) condemn_clock(state, rank);
    const Instant now = earlier(slot.clock, state.configuration.time_limit);
    const Instant begin = slot.state_begin;
    const RankState before = slot.state;
    if (now > begin) slot.totals.by_state[static_cast<int>(counts_as(before))] += now - begin;
    slot.state_begin = now;
    slot.state = next;
    if (state.recorder.full()) note_change(state, rank, begin, before, next);
}

void record_last_stretch(ConductorState& state, std::uint32_t rank) {
    const StateRecord& stretch = state.slot(rank).turn.last_stretch;
    if (stretch.end_ps != 0) state.record(rank, stretch);
}

}  // namespace kumi::conductor
