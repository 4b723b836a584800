#include "conductor/delivery/arrivals.hpp"

#include "conductor/delivery/rank_endpoint.hpp"
#include "conductor/logs/operation_log.hpp"
#include "conductor/ranks/inbox.hpp"

namespace kumi::conductor {
namespace {

/// The rank takes what has ended by its clock, and knows of unexpected messages. Returns whether
/// there was anything.
bool take_deliveries(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    endpoint::Deliveries& deliveries = slot.endpoint.deliveries;
    Instant& unexpected = slot.endpoint.unexpected_since;
    // What ends while the rank takes these is for the next time: not all of it is known yet.
    const Instant now = slot.clock;
    bool any = unexpected <= now;
    if (any) unexpected = kNever;
    while (!deliveries.empty() && deliveries.next_at(state.requests) <= now) {
        any = true;
        RankEndpoint(state, rank).take(deliveries.take(state.requests));
    }
    return any;
}

}  // namespace

bool look_at_arrivals(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    const bool takes_any = slot.endpoint.by_interface && take_deliveries(state, rank);
    if (slot.inbox.empty()) return takes_any;
    RankEndpoint endpoint(state, rank);
    while (!slot.inbox.empty()) {
        const std::uint32_t index = take(state, rank);
        if (index == kNoMessage) return true;
        const Message& message = state.messages.at(index);
        if (!message.is_notice) log_receive(state, message);
        if (message.action == ArrivalAction::kDeliver) {
            endpoint.look_at(index);
            continue;
        }
        slot.to_serve.append(state.messages, index);
        slot.held.may_answer = true;
    }
    return true;
}

}  // namespace kumi::conductor
