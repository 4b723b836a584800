#include "conductor/ranks/scheduling.hpp"

#include "conductor/ranks/rank_states.hpp"

namespace kumi::conductor {

void make_runnable(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    forget_delivery(state, rank);
    slot.status.store(RankStatus::kRunnable, std::memory_order_relaxed);
    state.scheduling.run_queue.push({slot.clock, rank});
}

void begin_wait(ConductorState& state, std::uint32_t rank) {
    enter_state(state, rank, RankState::kWait);
    state.slot(rank).status.store(RankStatus::kBlocked, std::memory_order_relaxed);
    if (state.slot(rank).endpoint.by_interface) await_delivery(state, rank);
}

void await_delivery(ConductorState& state, std::uint32_t rank) {
    const Instant next = next_delivery(state, rank);
    if (next == kNever) return;
    if (state.scheduling.run_queue.contains(rank)) state.scheduling.run_queue.remove(rank);
    state.scheduling.run_queue.push({later(state.slot(rank).clock, next), rank});
}

}  // namespace kumi::conductor
