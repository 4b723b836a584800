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
    if (!others_send_later(*x_state, x_rank)) return false;
    const Instant clock = x_slot->clock;
    const Instant event = x_state->network->next_event_time();
    if (event >= clock) return true;
    // What is on its way here arrives later, and so does what a rank sends that an event resumes.
    const bool is_due_later = x_slot->due == 0 || x_slot->due_from >= clock;
    return is_due_later && event + x_state->lookahead >= clock;
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
