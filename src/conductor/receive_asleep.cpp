#include "conductor/receive_asleep.hpp"

#include "conductor/post.hpp"

namespace kumi {
namespace {

/// Whether all that an MPI library does with the message is to receive it, or to keep it.
bool is_plain(const Message& message) {
    return message.kind == MessageKind::kEager && message.action == ArrivalAction::kDeliver &&
           message.is_answer == 0 && message.is_synchronous == 0;
}

/// Whether something has arrived that the rank's process must see at once.
bool needs_process(ConductorState& state, std::uint32_t rank) {
    return any_in_inbox(state, rank, [](const Message& message) {
        return message.is_seen == 0 && !is_plain(message);
    });
}

void receive_all(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    const RunConfiguration& run = state.configuration;
    look_through(state, rank, [&](std::uint32_t, Message& message) {
        if (message.is_seen != 0) return false;
        const matching::Search search =
            slot.posted.take(*state.arena, message.envelope(), run.matching.counting());
        slot.clock += run.matching.of(search);
        if (search.found) {
            slot.clock += run.receive_overhead;
            slot.needed -= search.id;
        }
        message.is_matched = search.found ? 1 : 0;
        message.is_seen = 1;
        return false;
    });
}

}  // namespace

bool receive_asleep(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    if (slot.needed == 0) return false;
    if (!state.keeps_in_time(rank) && !needs_process(state, rank)) {
        enter_state(state, rank, RankState::kCommunication);
        receive_all(state, rank);
        if (slot.needed > 0) {
            begin_wait(state, rank);
            return true;
        }
        // What arrives from now on, its process would not have seen.
        slot.hides_unseen = true;
    }
    slot.forget_posted(*state.arena);
    return false;
}

}  // namespace kumi
