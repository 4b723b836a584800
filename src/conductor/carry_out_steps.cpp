#include "conductor/carry_out_steps.hpp"

#include <algorithm>

#include "base/prefetch.hpp"
#include "conductor/baton.hpp"
#include "conductor/operation_log.hpp"
#include "conductor/post.hpp"
#include "conductor/receive_asleep.hpp"

namespace kumi {
namespace {

/// Whether a message may let a rank do anything: it is not one for which receives are posted.
bool can_matter(const Message& message) {
    return message.is_answer != 0 ||
           (message.kind != MessageKind::kEager && message.kind != MessageKind::kControl);
}

/// The rank, with one receive posted, looks at all that has arrived. Whether `awaited` has.
bool look_at_inbox(ConductorState& state, std::uint32_t rank, std::uint32_t awaited) {
    RankSlot& slot = state.slot(rank);
    bool has_arrived = false;
    look_through(state, rank, [&](std::uint32_t index, Message& message) {
        if (index == awaited) {
            has_arrived = true;
        } else if (message.is_seen == 0 && !can_matter(message)) {
            if (!has_arrived) slot.clock += state.configuration.matching.of({.searched = 1});
            message.is_seen = 1;
        }
        return false;
    });
    return has_arrived;
}

bool has_unseen(ConductorState& state, std::uint32_t rank) {
    return any_in_inbox(state, rank, [](const Message& message) { return message.is_seen == 0; });
}

/// Whether a receive of the rank's has been done for it already.
bool has_received(ConductorState& state, std::uint32_t rank) {
    return any_in_inbox(state, rank,
                        [](const Message& message) { return message.is_matched != 0; });
}

/// A receive is posted while the rank is ahead: if it has seen the message, that is received. Its
/// process will find what was received before the rest, in the same order.
void search_seen(ConductorState& state, std::uint32_t rank, const DeferredStep& post) {
    RankSlot& slot = state.slot(rank);
    const RunConfiguration& run = state.configuration;
    const matching::Pattern posted{post.message, post.tag, post.ignore};
    matching::Search search;
    std::uint32_t found = kNoMessage;
    std::uint32_t last_received = kNoMessage;
    look_through(state, rank, [&](std::uint32_t index, Message& message) {
        if (message.is_seen == 0) return true;
        if (message.is_matched != 0) {
            last_received = index;
            return false;
        }
        ++search.searched;
        if (message.kind != MessageKind::kEager || !posted.accepts(message.envelope()))
            return false;
        slot.clock += run.receive_overhead;
        message.is_matched = 1;
        found = index;
        return true;
    });
    slot.clock += run.matching.of(search);
    if (found == kNoMessage || state.messages.at(found).previous == last_received) return;
    if (!slot.inbox.remove(state.messages, found) ||
        !slot.inbox.insert(state.messages, found, last_received))
        state.condemn(VerdictKind::kCorrupt, rank, 0, Inbox::kBroken);
}

void fetch(const Message& message) {
    const auto* first = reinterpret_cast<const std::byte*>(&message);
    for (std::size_t line = 0; line < sizeof(Message); line += 64) prefetch_line(first + line);
}

/// Fetches the messages of the steps that follow the first: they were sent and received long ago.
void fetch_messages(const ConductorState& state, const DeferredSteps& steps) {
    constexpr std::uint32_t kAhead = 6;
    for (std::uint32_t ahead = 1; ahead < std::min(kAhead, steps.size()); ++ahead) {
        const DeferredStep& step = steps.upcoming(ahead);
        const bool has_message =
            step.kind == DeferredStep::Kind::kSend || step.kind == DeferredStep::Kind::kReceive;
        if (has_message && step.message < state.messages.capacity())
            fetch(state.messages.at(step.message));
    }
}

/// What the rank sent ahead of its clock is on its way, unless it was damaged in between.
bool send(ConductorState& state, std::uint32_t rank, std::uint32_t index) {
    if (const char* fault = find_fault(state, index)) {
        state.condemn(VerdictKind::kCorrupt, rank, 0, fault);
        return false;
    }
    Message& message = state.messages.at(index);
    message.sent = state.slot(rank).clock;
    --state.deferred;
    log_send(state, message);
    dispatch(state, index);
    return true;
}

/// Whether a message that the rank received early is still that. What is in it has been looked at
/// when its process took it, or will be then: here it does not matter, and needs no seal.
bool is_kept(const ConductorState& state, std::uint32_t rank, std::uint32_t index) {
    if (index >= state.messages.capacity()) return false;
    const Message& message = state.messages.at(index);
    return message.magic == Message::kMagic && message.target == rank;
}

/// The rank's clock is where it waits for the step's message. Whether that is received by now.
bool receive(ConductorState& state, std::uint32_t rank, DeferredStep& step) {
    if (!is_kept(state, rank, step.message)) {
        state.condemn(VerdictKind::kCorrupt, rank, 0, "it was received, and is gone");
        return false;
    }
    RankSlot& slot = state.slot(rank);
    const Message& message = state.messages.at(step.message);
    const RunConfiguration& run = state.configuration;
    if (message.is_matched != 0) {
        // It was there when the receive was posted, which has paid for all.
        if (message.is_read != 0)
            slot.steps.forgo(run.matching.of({.searched = 1}) + run.receive_overhead);
        return true;
    }
    if (step.kind == DeferredStep::Kind::kReceive) {
        step.kind = DeferredStep::Kind::kWait;
        begin_wait(state, rank);
        if (has_unseen(state, rank)) look_later(state, rank);
        return false;
    }
    enter_state(state, rank, RankState::kCommunication);
    if (look_at_inbox(state, rank, step.message)) return true;
    begin_wait(state, rank);
    return false;
}

/// The rank has received the message, as far as its clock is concerned. False if that cannot be.
bool finish_early(ConductorState& state, std::uint32_t rank, std::uint32_t index) {
    --state.deferred;
    if (!state.slot(rank).inbox.remove(state.messages, index)) {
        state.condemn(VerdictKind::kCorrupt, rank, 0, Inbox::kBroken);
        return false;
    }
    // Unless its process has not read it yet, which will give it back then.
    if (state.messages.at(index).is_read != 0)
        discard(state, index);
    else
        state.messages.at(index).is_early = 0;
    return true;
}

void come_into_time(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    slot.clock += slot.steps.take_spent();
    slot.hides_unseen = true;
    if (slot.process == ProcessState::kReady) state.ready.remove(rank);
    if (slot.process == ProcessState::kAwaitsMessage && !has_received(state, rank)) {
        slot.hides_unseen = false;
        begin_wait(state, rank);
        if (!has_unseen(state, rank)) return;
        if (slot.needed > 0) return look_later(state, rank);
    }
    make_runnable(state, rank);
}

}  // namespace

bool goes_on_waiting(ConductorState& state, std::uint32_t rank, std::uint32_t index) {
    RankSlot& slot = state.slot(rank);
    Message& message = state.messages.at(index);
    const bool is_late = message.arrived < slot.clock;
    if (!slot.steps.empty()) {
        if (is_late)
            look_later(state, rank);
        else
            carry_out_steps(state, rank);
        return true;
    }
    if (slot.needed > 0) {
        if (!is_late) return receive_asleep(state, rank);
        look_later(state, rank);
        return true;
    }
    if (is_late || can_matter(message) || !slot.awaited.is_known()) return false;
    enter_state(state, rank, RankState::kCommunication);
    (void)look_at_inbox(state, rank, kNoMessage);
    begin_wait(state, rank);
    return true;
}

void carry_out_steps(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    fetch_messages(state, slot.steps);
    for (; !slot.steps.empty(); slot.steps.remove_first()) {
        DeferredStep& step = slot.steps.first();
        slot.clock += step.before;
        step.before = {};
        // Nothing of that counts: the run ends when all have come to the limit.
        if (slot.clock > state.configuration.time_limit) return look_later(state, rank);
        switch (step.kind) {
            case DeferredStep::Kind::kEnter:
                enter_state(state, rank, RankState::kCommunication);
                break;
            case DeferredStep::Kind::kLeave:
                enter_state(state, rank, RankState::kCompute);
                break;
            case DeferredStep::Kind::kSend:
                if (!send(state, rank, step.message)) return;
                break;
            case DeferredStep::Kind::kPost:
                search_seen(state, rank, step);
                break;
            case DeferredStep::Kind::kReceive:
            case DeferredStep::Kind::kWait:
                if (!receive(state, rank, step) || !finish_early(state, rank, step.message)) return;
                break;
        }
    }
    come_into_time(state, rank);
}

void expect_arrival(const ConductorState& state, std::uint32_t rank) {
    constexpr std::uint32_t kStepsPerLine = 64 / sizeof(DeferredStep);
    const RankSlot& slot = state.ranks[rank];
    if (slot.steps.empty()) return;
    prefetch_line(&slot.steps.upcoming(0));
    prefetch_line(&slot.steps.upcoming(kStepsPerLine));
    if (slot.inbox.last < state.messages.capacity())
        prefetch_line(&state.messages.at(slot.inbox.last));
}

}  // namespace kumi
