#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

/// Which ranks are blocked, and which stand in the run queue: they go on at their clocks.
namespace kumi::conductor {

/// The rank, which is blocked, goes on at its clock: when no other has a smaller one and all that
/// happens before has happened.
void make_runnable(ConductorState& state, std::uint32_t rank);

/// The rank is blocked, from its clock on.
void begin_wait(ConductorState& state, std::uint32_t rank);

/// Whether what other ranks send from now on arrives no earlier than at the rank's clock.
inline bool others_send_later(const ConductorState& state, std::uint32_t rank) {
    const RunQueue& queue = state.scheduling.run_queue;
    return queue.empty() || queue.top().clock + state.lookahead >= state.ranks[rank].clock;
}

/// Whether all has arrived that does so before the rank's clock, into its memory or
/// its interface.
inline bool has_caught_up(const ConductorState& state, std::uint32_t rank) {
    return state.network->next_event_time() >= state.ranks[rank].clock &&
           others_send_later(state, rank);
}

/// When its interface has something for the rank: kNever if it has nothing.
inline Instant next_delivery(const ConductorState& state, std::uint32_t rank) {
    const endpoint::Endpoint& endpoint = state.ranks[rank].endpoint;
    return earlier(endpoint.unexpected_since, endpoint.deliveries.next_at(state.requests));
}

/// The rank, which is blocked, goes on when there is something for it to take; it stands in the run
/// queue for that.
void await_delivery(ConductorState& state, std::uint32_t rank);

/// The rank, which is blocked, goes on for another reason than that it may take something.
inline void forget_delivery(ConductorState& state, std::uint32_t rank) {
    if (!state.slot(rank).endpoint.by_interface) return;
    if (state.scheduling.run_queue.contains(rank)) state.scheduling.run_queue.remove(rank);
}

}  // namespace kumi::conductor
