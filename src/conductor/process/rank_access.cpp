#include "conductor/process/rank_access.hpp"

#include "conductor/baton/baton.hpp"
#include "conductor/baton/outside.hpp"
#include "conductor/ranks/rank_states.hpp"
#include "conductor/ranks/scheduling.hpp"

namespace kumi::conductor {

void RankAccess::refuse(const char* text) {
    x_state->condemn(VerdictKind::kRefused, x_rank, 1, text);
}

void RankAccess::idle(Duration span) {
    enter_state(*x_state, x_rank, RankState::kSleep);
    spend(span);
    enter_state(*x_state, x_rank, RankState::kCommunication);
}

void RankAccess::catch_up() {
    const bool looks_outside =
        x_state->outside.load(std::memory_order_relaxed) != 0 && is_time_to_look_outside(*x_state);
    if (looks_outside || !sees_all()) return let_others_catch_up();
    note_traffic();
}

bool RankAccess::sees_all() const {
    if (has_caught_up(*x_state, x_rank)) return true;
    // What is on its way here arrives later, and so does whatever another rank may still send, now
    // or once an event has resumed it.
    const bool is_due_later = x_slot->due == 0 || x_slot->due_from >= x_slot->clock;
    Instant soonest = x_state->network->next_event_time();
    const RunQueue& queue = x_state->scheduling.run_queue;
    if (!queue.empty()) soonest = earlier(soonest, queue.top().clock);
    return is_due_later && soonest + x_state->lookahead >= x_slot->clock;
}

void RankAccess::let_others_catch_up() {
    x_state->scheduling.run_queue.push({x_slot->clock, x_rank});
    pass_baton(*x_state, x_rank);
    note_traffic();
}

void RankAccess::wait_for_clock() {
    x_slot->process.enter(ProcessState::kAwaitsTime);
    pass_baton(*x_state, x_rank);
}

void RankAccess::end_if_condemned() {
    if (x_state->diagnosis.verdict.kind.load(std::memory_order_acquire) != VerdictKind::kNone)
        wait_for_the_end();
}

}  // namespace kumi::conductor
