#include "conductor/early_receive.hpp"

#include "conductor/post.hpp"

namespace kumi {
namespace {

/// So many messages are looked at for the one that a rank awaits.
constexpr int kSearchedMessages = 64;

bool is_for_inbox(const Message& message) {
    return message.action == ArrivalAction::kDeliver && message.is_answer == 0;
}

/// What `awaited` is for, if `message` is early enough in the order in which its source sent. What
/// is not eager may be for it, or not: the conductor does not know.
bool is_awaited(const AwaitedMessage& awaited, const Message& message) {
    if (message.kind == MessageKind::kEager) return awaited.accepts(message);
    return message.source == awaited.pattern.source;
}

void make_ready(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    slot.process = ProcessState::kReady;
    state.ready.push({slot.ran_last, rank});
}

/// From now on the message is `rank`'s, which is in time or ahead.
void give_early(ConductorState& state, std::uint32_t rank, std::uint32_t index) {
    RankSlot& slot = state.slot(rank);
    unlist_sent(state, rank, index);
    state.messages.at(index).is_early = 1;
    slot.awaited = {};
    slot.early = index;
    const auto kind = slot.steps.empty() ? DeferredStep::Kind::kWait : DeferredStep::Kind::kReceive;
    slot.steps.add({.kind = kind, .message = index});
    ++state.deferred;
}

/// The rank, which has awaited one message, goes on with any.
void await_anything(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    slot.awaited = {};
    if (slot.steps.empty() && !slot.inbox.empty()) make_runnable(state, rank);
}

}  // namespace

void list_sent(ConductorState& state, std::uint32_t index) {
    Message& message = state.messages.at(index);
    if (!is_for_inbox(message)) return;
    RankSlot& target = state.slot(message.target);
    message.is_listed = 1;
    target.sent_to_it.append(state.messages, index);
    if (!is_awaited(target.awaited, message)) return;
    // It waits for the first of these: for none if it is of another kind.
    const bool can_take = message.kind == MessageKind::kEager && !target.steps.full();
    if (!can_take) return await_anything(state, message.target);
    give_early(state, message.target, index);
    make_ready(state, message.target);
}

void unlist_sent(ConductorState& state, std::uint32_t rank, std::uint32_t index) {
    Message& message = state.messages.at(index);
    if (message.is_listed == 0) return;
    if (!state.slot(rank).sent_to_it.remove(state.messages, index))
        return state.condemn(VerdictKind::kCorrupt, rank, 0, SentList::kBroken);
    message.is_listed = 0;
}

bool receive_early(ConductorState& state, std::uint32_t rank, const AwaitedMessage& awaited) {
    RankSlot& slot = state.slot(rank);
    slot.awaited = {};
    if (!awaited.is_known() || slot.steps.full() || state.keeps_in_time(rank)) return false;
    std::uint32_t found = kNoMessage;
    int looked_at = 0;
    const auto is_it = [&](std::uint32_t index, const Message& message) {
        if (++looked_at > kSearchedMessages) return true;
        if (is_awaited(awaited, message)) found = index;
        return found != kNoMessage;
    };
    if (!slot.sent_to_it.look_through(state.messages, is_it)) {
        state.condemn(VerdictKind::kCorrupt, rank, 0, SentList::kBroken);
        return false;
    }
    if (looked_at > kSearchedMessages) return false;
    if (found == kNoMessage) {
        slot.awaited = awaited;
        return false;
    }
    if (state.messages.at(found).kind != MessageKind::kEager) return false;
    const bool was_in_time = slot.steps.empty();
    give_early(state, rank, found);
    if (was_in_time) begin_wait(state, rank);
    return true;
}

std::uint32_t take_early(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    const std::uint32_t index = slot.early;
    slot.early = kNoMessage;
    const char* fault = find_fault_for(state, rank, index);
    return fault == nullptr ? index : reject(state, rank, fault);
}

}  // namespace kumi
