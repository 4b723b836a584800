#include "conductor/streams/next_event.hpp"

#include "conductor/delivery/post.hpp"
#include "conductor/delivery/rank_interface.hpp"
#include "conductor/ranks/scheduling.hpp"
#include "conductor/streams/carry_out.hpp"

namespace kumi::conductor {
namespace {

void resume(ConductorState& state, std::uint32_t rank, std::uint32_t index) {
    RankSlot& slot = state.slot(rank);
    if (slot.status.load(std::memory_order_relaxed) != RankStatus::kBlocked) return;
    forget_delivery(state, rank);
    const Instant arrived = state.messages.at(index).arrived;
    if (arrived < slot.clock) return make_runnable(state, rank);
    slot.clock = arrived;
    carry_out(state, rank);
}

void deliver(ConductorState& state, std::uint32_t index) {
    const std::uint32_t target = state.messages.at(index).target;
    if (is_for_interface(state, state.messages.at(index))) return arrive_at_interface(state, index);
    state.slot(target).inbox.append(state.messages, index);
    state.checked = index;
    resume(state, target, index);
    state.checked = kNoMessage;
}

struct ArrivalSink {
    ConductorState& state;
    void arrived(Instant when, std::uint64_t cookie) {
        const Arrived arrived = arrive(state, static_cast<std::uint32_t>(cookie), when);
        if (arrived.notice != kNoMessage) deliver(state, arrived.notice);
        if (arrived.message != kNoMessage) deliver(state, arrived.message);
    }
};

}  // namespace

void execute_next_event(ConductorState& state) {
    ArrivalSink sink{state};
    state.network->execute_next(sink);
}

bool next_event_meets_program(const ConductorState& state) {
    if (!state.scheduling.has_windows || state.scheduling.away == 0) return false;
    const std::uint64_t cookie = state.network->next_arrival();
    if (cookie == network::Network::kNoCookie) return false;
    const auto index = static_cast<std::uint32_t>(cookie);
    // What is damaged is found when it arrives.
    if (!state.messages.may_be(index)) return false;
    const Message& message = state.messages.at(index);
    const bool is_access =
        message.action == ArrivalAction::kPut || message.action == ArrivalAction::kGet;
    return is_access && message.target < state.rank_count() &&
           state.ranks[message.target].turn.is_away;
}

}  // namespace kumi::conductor
