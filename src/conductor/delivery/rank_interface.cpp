#include "conductor/delivery/rank_interface.hpp"

#include "conductor/delivery/arrivals.hpp"
#include "conductor/delivery/post.hpp"
#include "conductor/ranks/scheduling.hpp"

namespace kumi::conductor {

void RankInterface::charge(Duration span) {
    x_now = state().slot(rank()).endpoint.interface.work(x_now, span);
}

void RankInterface::send(std::uint32_t target, const endpoint::Head& head) {
    send_by_interface(prepare_control(target, head));
}

void RankInterface::fetch(std::uint32_t target, std::uint64_t size_bytes,
                          const endpoint::Head& head) {
    send_by_interface(prepare_fetch(target, size_bytes, head));
}

void RankInterface::send_by_interface(std::uint32_t index) {
    Message& message = state().messages.at(index);
    message.sent = x_now;
    message.sequence = kFirstAnswer + state().slot(rank()).totals.answers_sent++;
    post(state(), index);
}

void RankInterface::delivered(std::uint32_t request, endpoint::Delivery kind) {
    state().requests[request].delivered_at = x_now;
    state().slot(rank()).endpoint.deliveries.add(state().requests, request, kind);
}

void arrive_at_interface(ConductorState& state, std::uint32_t index) {
    const Message& message = state.messages.at(index);
    const std::uint32_t rank = message.target;
    RankInterface(state, rank, message.arrived).look_at(index);
    if (state.slot(rank).status.load(std::memory_order_relaxed) == RankStatus::kBlocked)
        await_delivery(state, rank);
}

void post_receive_now(ConductorState& state, std::uint32_t rank, std::uint32_t request) {
    const RankSlot& slot = state.slot(rank);
    if (slot.endpoint.by_interface)
        RankInterface(state, rank, slot.clock).protocol().post(request);
    else
        RankEndpoint(state, rank).protocol().post(request);
}

void hand_over_to_interfaces(ConductorState& state) {
    if (!state.configuration.endpoint.matches_by_interface) return;
    // Real time is not over yet: nothing of that takes any.
    for (bool any = true; any;) {
        any = false;
        for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank)
            any = look_at_arrivals(state, rank) || any;
    }
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank)
        state.slot(rank).endpoint.by_interface = true;
}

void take_over_from_interfaces(ConductorState& state) {
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
        endpoint::Endpoint& endpoint = state.slot(rank).endpoint;
        while (!endpoint.deliveries.empty())
            RankEndpoint(state, rank).take(endpoint.deliveries.take(state.requests));
        endpoint.by_interface = false;
        endpoint.unexpected_since = kNever;
    }
}

}  // namespace kumi::conductor
