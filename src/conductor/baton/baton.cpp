#include "conductor/baton/baton.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "conductor/baton/balance.hpp"
#include "conductor/baton/outside.hpp"
#include "conductor/delivery/rank_interface.hpp"
#include "conductor/logs/operation_log.hpp"
#include "conductor/pairing/pairing.hpp"
#include "conductor/ranks/progress.hpp"
#include "conductor/streams/carry_out.hpp"
#include "conductor/streams/next_event.hpp"
#include "conductor/system/futex.hpp"
#include "conductor/system/real_time.hpp"

namespace kumi::conductor {
namespace {

constexpr std::uint32_t kNobody = 0xFFFFFFFF;
/// No process can go on before one of those that are away is back.
constexpr std::uint32_t kNobodyYet = 0xFFFFFFFE;
/// Some 40 µs: a process that has the baton seldom has it for longer. To sleep, and to be resumed
/// by the other core, takes as long as an MPI call.
constexpr int kSpins = 1500;
/// As often may processes go away, for a moment each, while others wait and a core is free: to
/// resume one there takes as long as some MPI calls.
constexpr std::uint32_t kMostPassedOver = 16;
/// Between two looks of a process that watches a free core: that, or a fourth of the time since it
/// began, and not more than the other.
constexpr std::int64_t kShortestWatch_ns = 20'000;
constexpr std::int64_t kLongestWatch_ns = 1'000'000;

void check_verdict(const ConductorState& state) {
    if (state.diagnosis.verdict.kind.load(std::memory_order_acquire) != VerdictKind::kNone)
        wait_for_the_end();
}

/// Lets every blocked rank poll once more: an MPI library may make progress without an arrival, and
/// need several polls for that. What it then does, it does now, since the past is over. Returns
/// false if that has been tried often and no rank has got any further since.
bool recheck_blocked(ConductorState& state) {
    constexpr std::uint64_t kMostRechecks = 16;
    const std::uint64_t steps = state.totals.posts + state.totals.calls;
    if (steps != state.deadlock_check.steps_at_recheck) state.deadlock_check.rechecks = 0;
    if (state.deadlock_check.rechecks == kMostRechecks) return false;
    ++state.deadlock_check.rechecks;
    state.deadlock_check.steps_at_recheck = steps;
    bool any = false;
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
        any = interrupt_wait(state, rank) || any;
    }
    return any;
}

[[noreturn]] void end_at_limit(ConductorState& state, std::uint32_t rank) {
    state.condemn(VerdictKind::kTimeLimit, rank, 0, "virtual time has reached its limit");
    wait_for_the_end();
}

/// Ends the run if the next thing to happen, at `event`, lies behind the limit of time; unless all
/// have finished, so that no rank waits for it.
void check_event_limit(ConductorState& state, Instant event) {
    const bool all_finished =
        state.counts.finishing.load(std::memory_order_relaxed) == state.rank_count();
    if (event > state.configuration.time_limit && !all_finished) end_at_limit(state, 0);
}

/// Ends the run if the rank, which is behind all others, is past the limit of time.
void check_time_limit(ConductorState& state, std::uint32_t rank) {
    if (state.scheduling.run_queue.top().clock > state.configuration.time_limit)
        end_at_limit(state, rank);
}

/// Ends the run if what ranks wait for does not add up: their memory was damaged.
void check_balance(ConductorState& state) {
    std::uint32_t rank = 0;
    const char* fault = find_imbalance(state, rank);
    if (fault == nullptr) return;
    state.condemn(VerdictKind::kCorrupt, rank, 0, fault);
    wait_for_the_end();
}

/// No rank can go on.
[[noreturn]] void end_at_rest(ConductorState& state) {
    check_balance(state);
    state.condemn(VerdictKind::kDeadlock, 0, 0, "every rank waits for another");
    wait_for_the_end();
}

/// Looks how far the process of `rank` has computed, which is away and stands first in the run
/// queue. Returns whether that is farther than was known; not twice for one choice, since the
/// process computes on.
bool has_moved_on(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    if (slot.away.looked_at == state.scheduling.choices) return false;
    slot.away.looked_at = state.scheduling.choices;
    const Instant reached = reached_by(state, rank);
    if (reached <= state.scheduling.run_queue.top().clock) return false;
    slot.away.reached = reached;
    state.scheduling.run_queue.pop();
    state.scheduling.run_queue.push({reached, rank});
    return true;
}

/// Whether others could go on if the process of `rank`, for which all wait, has got further, and it
/// may pay to look for that.
bool is_worth_watching(const ConductorState& state, std::uint32_t rank) {
    return state.ranks[rank].turn.is_away_for_long &&
           (state.scheduling.run_queue.size() > state.scheduling.away ||
            state.network->next_event_time() != kNever);
}

/// Whether so much is deferred that events should be executed first.
bool is_much_deferred(ConductorState& state) {
    return state.scheduling.deferral.is_much(state.deferred, state.rank_count());
}

/// Takes out a rank that could run ahead: the first of those whose processes ran on `core` last, if
/// there are such. Others would have to move, with all that they need.
std::uint32_t pop_ready(ConductorState& state, std::uint32_t core) {
    Scheduling& scheduling = state.scheduling;
    if (!scheduling.cores.several() || scheduling.cores.keeps_to_one())
        return scheduling.ready.pop().rank;
    return scheduling.ready
        .pop_preferred([&](std::uint32_t rank) { return state.slot(rank).turn.core == core; })
        .rank;
}

/// The next rank to run, on `core`. kNobody: all have finished. kNobodyYet: see there.
///
/// Ranks in the run queue whose processes are not synchronised have their streams carried out, up
/// to where these must wait.
std::uint32_t choose(ConductorState& state, std::uint32_t core) {
    if (state.outside.load(std::memory_order_relaxed) != 0) look_outside(state);
    state.deadlock_check.only_looks = false;
    state.scheduling.is_worth_watching = false;
    ++state.scheduling.choices;
    for (;;) {
        if (!state.scheduling.ready.empty() && !is_much_deferred(state)) break;
        const Instant bound =
            state.scheduling.run_queue.empty() ? kNever : state.scheduling.run_queue.top().clock;
        const Instant event = state.network->next_event_time();
        if (event < bound) {
            if (next_event_meets_program(state)) {
                if (state.scheduling.ready.empty()) return kNobodyYet;
                break;
            }
            check_event_limit(state, event);
            execute_next_event(state);
            check_verdict(state);
            continue;
        }
        if (bound != kNever) {
            const std::uint32_t next = state.scheduling.run_queue.top().rank;
            check_time_limit(state, next);
            RankSlot& slot = state.slot(next);
            if (slot.turn.is_away && slot.stream.empty()) {
                if (has_moved_on(state, next)) continue;
                if (!state.scheduling.ready.empty()) break;
                state.scheduling.is_worth_watching = is_worth_watching(state, next);
                return kNobodyYet;
            }
            // Later than its clock is a rank that waits for its interface.
            slot.clock = state.scheduling.run_queue.pop().clock;
            if (slot.stream.empty()) return next;
            carry_out(state, next);
            check_verdict(state);
            continue;
        }
        if (!state.scheduling.ready.empty()) break;
        if (state.scheduling.away > 0) return kNobodyYet;
        if (state.network->is_stuck()) {
            state.condemn(VerdictKind::kNetworkStuck, 0, 0, "full buffers wait for each other");
            wait_for_the_end();
        }
        if (state.counts.finishing.load(std::memory_order_relaxed) == state.rank_count())
            return kNobody;
        if (!recheck_blocked(state)) {
            state.deadlock_check.only_looks = wait_outside(state);
            if (state.deadlock_check.only_looks) continue;
            check_verdict(state);
            end_at_rest(state);
        }
    }
    return pop_ready(state, core);
}

/// All ranks have finished.
void note_end(ConductorState& state) {
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank)
        state.end = later(state.end, state.slot(rank).clock);
    state.network->end_wake_frames(state.end);
    check_balance(state);
}

/// The process of `rank` is away from now on.
void note_absence(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    slot.turn.is_away = true;
    ++state.scheduling.away;
    if (slot.stream.empty())
        state.scheduling.run_queue.push({later(slot.clock, slot.away.reached), rank});
}

/// The process of `rank` is not away any more.
void note_presence(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    slot.turn.is_away = false;
    --state.scheduling.away;
    if (slot.stream.empty() && state.scheduling.run_queue.contains(rank))
        state.scheduling.run_queue.remove(rank);
}

/// The process of `rank` goes on, on `core`.
void hand_over(ConductorState& state, std::uint32_t rank, std::uint32_t core) {
    RankSlot& slot = state.slot(rank);
    if (slot.turn.is_away) note_presence(state, rank);
    state.scheduling.cores.move(slot.facts.pid.load(std::memory_order_relaxed), slot.turn.core,
                                core);
    state.scheduling.cores.stop_watching(slot.away.watched_core, rank);
    slot.turn.core = core;
    slot.process.enter(ProcessState::kRuns);
    state.holder.store(static_cast<std::int32_t>(rank), std::memory_order_relaxed);
    // The launcher sees by handovers that the run gets on.
    if (!state.deadlock_check.only_looks) state.handovers.fetch_add(1, std::memory_order_relaxed);
    slot.turn.ran_last = state.handovers.load(std::memory_order_relaxed);
    ++slot.totals.handovers;
    slot.baton.store(kHasBaton, std::memory_order_release);
    futex_notify(slot.baton);
}

/// The process of `rank` is about to sleep, that of `next` goes on in its place. Returns whether
/// the core that becomes free is worth watching: the process does.
bool leave_baton(ConductorState& state, std::uint32_t rank, std::uint32_t next) {
    RankSlot& slot = state.slot(rank);
    if (next != kNobodyYet) {
        hand_over(state, next, slot.turn.core);
        return false;
    }
    state.scheduling.cores.free(slot.turn.core);
    const bool watches = state.scheduling.is_worth_watching;
    if (watches) {
        state.scheduling.cores.watch(slot.turn.core, rank);
        slot.away.watched_core = slot.turn.core;
    }
    state.holder.store(-1, std::memory_order_relaxed);
    state.scheduling.baton.unlock();
    return watches;
}

/// Decides on how many cores the run is to go on, of several.
void choose_cores(ConductorState& state) {
    Scheduling& scheduling = state.scheduling;
    if (!scheduling.cores.several()) return;
    const bool to_one = !scheduling.core_trial.allows_several(coarse_real_ns(), state.totals.calls);
    if (to_one && !scheduling.cores.keeps_to_one())
        scheduling.deferral.merge_bunches(state.rank_count());
    scheduling.cores.keep_to_one(to_one);
}

/// A process that waits watches a core that is free, and on which no process can go on yet.
void appoint_watcher(ConductorState& state, std::uint32_t by) {
    const std::uint32_t core = state.scheduling.cores.find_unwatched();
    if (core == Cores::kMost) return;
    for (std::uint32_t step = 1; step < state.rank_count(); ++step) {
        const std::uint32_t rank = (by + step) % state.rank_count();
        RankSlot& slot = state.slot(rank);
        const bool waits = !slot.turn.is_away && (slot.process == ProcessState::kAwaitsTime ||
                                                  slot.process == ProcessState::kAwaitsRequests);
        if (!waits || state.scheduling.cores.is_watched_by(slot.away.watched_core, rank)) continue;
        state.scheduling.cores.move(slot.facts.pid.load(std::memory_order_relaxed), slot.turn.core,
                                    core);
        state.scheduling.cores.watch(core, rank);
        slot.turn.core = slot.away.watched_core = core;
        std::uint32_t expected = kNoBaton;
        if (slot.baton.compare_exchange_strong(expected, kWatchCore)) futex_notify(slot.baton);
        return;
    }
}

/// The process of `rank` watches a core, and looks whether a process may go on there. Returns
/// whether it watches on.
bool look_for_next(ConductorState& state, std::uint32_t rank) {
    // The process that has the baton looks for that itself.
    if (!state.scheduling.baton.try_lock()) return true;
    const std::uint32_t core = state.slot(rank).away.watched_core;
    const bool is_watcher = state.scheduling.cores.is_watched_by(core, rank);
    const std::uint32_t next = is_watcher ? choose(state, core) : kNobodyYet;
    if (next != kNobodyYet) {
        KUMI_ASSERT(next != kNobody, "a rank that waits has finished");
        hand_over(state, next, state.scheduling.cores.take(core));
        return false;
    }
    state.scheduling.baton.unlock();
    return is_watcher && state.scheduling.cores.has_free();
}

/// Whether processes have gone away often enough, while another one could go on elsewhere. Counts.
bool has_passed_over_enough(ConductorState& state) {
    Scheduling& scheduling = state.scheduling;
    const bool others_wait =
        !scheduling.ready.empty() || (!scheduling.run_queue.empty() &&
                                      !state.slot(scheduling.run_queue.top().rank).turn.is_away);
    return others_wait && ++scheduling.passed_over > kMostPassedOver;
}

/// From now on, this thread sleeps as long as it wants to, and not for 50 µs more. It is one that
/// sleeps in virtual time otherwise.
void sleep_exactly() {
    static constinit bool is_done = false;
    if (std::exchange(is_done, true)) return;
    (void)::prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
}

/// Waits until the baton is handed to this rank; `watches` a free core meanwhile.
void await_baton(ConductorState& state, std::uint32_t rank, bool watches) {
    RankSlot& slot = state.slot(rank);
    std::int64_t began_ns = watches ? real_ns() : 0;
    if (watches) sleep_exactly();
    for (;;) {
        std::uint32_t word = slot.baton.load(std::memory_order_acquire);
        if (word == kHasBaton) break;
        if (word == kWatchCore) {
            if (!slot.baton.compare_exchange_strong(word, kNoBaton)) continue;
            began_ns = real_ns();
            sleep_exactly();
            watches = look_for_next(state, rank);
        } else if (!watches) {
            futex_wait(slot.baton, kNoBaton);
        } else {
            const std::int64_t since_ns = real_ns() - began_ns;
            futex_wait(slot.baton, kNoBaton,
                       std::clamp(since_ns / 4, kShortestWatch_ns, kLongestWatch_ns));
            if (slot.baton.load(std::memory_order_acquire) == kNoBaton)
                watches = look_for_next(state, rank);
        }
    }
    slot.baton.store(kNoBaton, std::memory_order_relaxed);
    check_verdict(state);
}

/// All come out of MPI_Init, each as soon as there is a core for it.
void set_all_away(ConductorState& state) {
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
        RankSlot& slot = state.slot(rank);
        slot.turn.is_away = true;
        slot.process.enter(ProcessState::kReady);
        state.scheduling.ready.push({slot.turn.ran_last, /*computes_long=*/true, rank});
    }
    state.scheduling.away = state.rank_count();
}

}  // namespace

void wait_for_the_end() {
    for (;;) ::pause();
}

void pass_baton(ConductorState& state, std::uint32_t rank) {
    KUMI_ASSERT(!state.slot(rank).turn.is_away, "a process passes a baton that it does not have");
    state.scheduling.is_worth_watching = false;
    choose_cores(state);
    Cores& cores = state.scheduling.cores;
    const std::uint32_t next =
        cores.has_too_many() ? kNobodyYet : choose(state, state.slot(rank).turn.core);
    if (next == rank) {
        state.slot(rank).process.enter(ProcessState::kRuns);
        return;
    }
    KUMI_ASSERT(next != kNobody, "a rank that has not finished is lost");
    const bool watches = leave_baton(state, rank, next);
    await_baton(state, rank, watches);
}

void go_away(ConductorState& state, std::uint32_t rank, bool for_long) {
    Scheduling& scheduling = state.scheduling;
    if (!scheduling.cores.several()) return;
    note_absence(state, rank);
    if (scheduling.cores.has_free() && (for_long || has_passed_over_enough(state))) {
        scheduling.passed_over = 0;
        const std::uint32_t next = choose(state, scheduling.cores.first_free());
        if (next != kNobodyYet)
            return hand_over(state, next, scheduling.cores.take(state.slot(next).turn.core));
        if (scheduling.is_worth_watching) appoint_watcher(state, rank);
    }
    scheduling.baton.unlock();
}

void give_way(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    const bool is_holder =
        state.holder.load(std::memory_order_relaxed) == static_cast<std::int32_t>(rank);
    if (!slot.turn.is_away && !is_holder) return;
    // It may wait for another, outside of MPI.
    state.scheduling.core_trial.allow_several();
    state.scheduling.cores.keep_to_one(false);
    if (!slot.turn.is_away) {
        note_absence(state, rank);
        // The launcher sees that the run has got on: streams may be carried out now.
        state.handovers.fetch_add(1, std::memory_order_relaxed);
    } else if (!state.scheduling.baton.try_lock()) {
        return;
    }
    Cores& cores = state.scheduling.cores;
    const bool has_free = cores.has_free();
    const std::uint32_t next = choose(state, has_free ? cores.first_free() : slot.turn.core);
    if (next != kNobodyYet)
        return hand_over(state, next, has_free ? cores.take(slot.turn.core) : slot.turn.core);
    state.holder.store(-1, std::memory_order_relaxed);
    state.scheduling.baton.unlock();
}

void come_back(ConductorState& state, std::uint32_t rank) {
    state.scheduling.baton.lock(kSpins);
    note_presence(state, rank);
    state.holder.store(static_cast<std::int32_t>(rank), std::memory_order_relaxed);
    check_verdict(state);
}

void await_baton(ConductorState& state, std::uint32_t rank) {
    await_baton(state, rank, /*watches=*/false);
}

void start_virtual_time(ConductorState& state) {
    hand_over_to_interfaces(state);
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
        state.slot(rank).status.store(RankStatus::kRunnable, std::memory_order_relaxed);
        // What an MPI library sent while it started must not show in the order of events.
        RankSlot& slot = state.slot(rank);
        slot.next_sequence = slot.totals.answers_sent = 0;
        slot.endpoint.keeps_account = true;
        if (state.matching_sites != nullptr)
            slot.endpoint.sites = &state.matching_sites[rank].account;
        if (state.queue_depths != nullptr) slot.endpoint.depths = &state.queue_depths[rank];
        state.scheduling.run_queue.push({Instant{}, rank});
        pair_what_is_there(state, rank);
    }
    log_start(state);
    state.began_ns = real_ns();
    state.phase.store(Phase::kVirtual, std::memory_order_release);
    // Handed over with the baton; free when all that could go on are away.
    state.scheduling.baton.lock();
    choose_cores(state);
    if (state.scheduling.cores.several()) set_all_away(state);
    hand_over(state, choose(state, 0), state.scheduling.cores.take(0));
}

void finish_virtual_time(ConductorState& state, std::uint32_t rank) {
    state.slot(rank).status.store(RankStatus::kFinishing, std::memory_order_relaxed);
    if (state.counts.finishing.fetch_add(1, std::memory_order_relaxed) + 1 == state.rank_count())
        note_end(state);
    const std::uint32_t next = choose(state, state.slot(rank).turn.core);
    if (next != kNobody) {
        const bool watches = leave_baton(state, rank, next);
        return await_baton(state, rank, watches);
    }
    // The clocks of ranks that waited for the last one stay: their wait ends with the run.
    state.ended_ns = real_ns();
    state.phase.store(Phase::kEnding, std::memory_order_release);
    state.holder.store(-1, std::memory_order_relaxed);
    take_over_from_interfaces(state);
    for (std::uint32_t other = 0; other < state.rank_count(); ++other) {
        RankSlot& slot = state.slot(other);
        slot.status.store(RankStatus::kLeft, std::memory_order_relaxed);
        slot.endpoint.keeps_account = false;
        slot.endpoint.depths = nullptr;
        slot.endpoint.sites = nullptr;
        state.scheduling.cores.move(slot.facts.pid.load(std::memory_order_relaxed), slot.turn.core,
                                    state.scheduling.cores.first_of(other));
        if (other == rank) continue;
        slot.baton.store(kHasBaton, std::memory_order_release);
        futex_notify(slot.baton);
    }
}

}  // namespace kumi::conductor
