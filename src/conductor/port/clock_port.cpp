#include "conductor/port/clock_port.hpp"

#include <utility>

#include "base/one_thread.hpp"
#include "conductor/baton/baton.hpp"
#include "conductor/logs/call_log.hpp"
#include "conductor/logs/operation_log.hpp"
#include "conductor/port/call_log_port.hpp"
#include "conductor/ranks/rank_states.hpp"
#include "conductor/streams/carry_out.hpp"
#include "conductor/system/futex.hpp"
#include "conductor/system/real_time.hpp"

namespace kumi::conductor {
namespace {

/// What may be on its way before a rank that runs ahead lets the others go first. Without a limit,
/// all messages of a rank that only sends would be in memory before the first is received.
constexpr std::uint32_t kManyMessages = 1U << 16;
constexpr std::uint64_t kManyBytes = std::uint64_t{1} << 29;

/// Calls of window functions in a row that may go by without traffic before they count as polling.
constexpr std::uint32_t kQuietCalls = 64;

/// Until the launcher watches all processes: only then it can know which of them ends first.
void await_watch(ConductorState& state) {
    while (state.counts.unwatched.load() != 0) futex_wait(state.counts.unwatched, 1);
}

}  // namespace

void ClockPort::enter(CallClass call_class, const CallName& name) {
    if (!in_virtual_time()) return;
    const Undisturbed undisturbed(x_process);
    const Duration computed = x_computing.take();
    std::int64_t long_ns = 0;
    if (x_state->scheduling.cores.several()) {
        long_ns = x_computing.forecast().enter(CoreTrial::kLong_ns);
        x_computing.end_timing();
    }
    x_process.come_back();
    if (long_ns > 0) x_state->scheduling.core_trial.note_long(long_ns);
    if (computed.ps > 0 || x_state->scheduling.cores.several()) charge(computed);
    enter_with_baton(call_class, name);
    lend_baton();
}

void ClockPort::enter_with_baton(CallClass call_class, const CallName& name) {
    x_slot->call_class = call_class;
    ++x_slot->call_count;
    ++x_state->totals.calls;
    x_slot->call.name = name;
    if (records_calls()) check_recorded(call_class);
    if (!may_be_ahead_in(call_class) || x_slot->stream.full()) synchronise();
    const bool has_to_see = note_call(*x_state, x_rank, call_class);
    if (is_synchronised()) {
        if (!goes_ahead_in(call_class)) return begin_in_step(call_class, has_to_see);
        x_state->scheduling.run_queue.push({x_slot->clock, x_rank});
    }
    x_slot->stream.add({.kind = StreamOperation::Kind::kEnter});
}

bool ClockPort::goes_ahead_in(CallClass call_class) const {
    return calls_are_parallel() && may_be_ahead_in(call_class) && can_run_ahead(*x_state) &&
           !x_state->keeps_in_time(x_rank) && !is_far_ahead();
}

void ClockPort::begin_in_step(CallClass call_class, bool has_to_see) {
    enter_state(*x_state, x_rank, RankState::kCommunication);
    begin_call(*x_state, x_rank);
    if (x_slot->clock > configuration().time_limit) stop_at_limit();
    const bool spins = call_class == CallClass::kWindow && seems_to_spin();
    if (spins) spend(configuration().poll_cost);
    if (spins || has_to_see || is_far_ahead())
        let_others_catch_up();
    else if (call_class == CallClass::kPolling)
        catch_up();
}

void ClockPort::leave() {
    if (!in_virtual_time()) return;
    const Undisturbed undisturbed(x_process);
    x_process.come_back();
    if (x_slot->call_class == CallClass::kPolling) spend(configuration().poll_cost);
    x_slot->call_class = CallClass::kLocal;
    if (!put_off({.kind = StreamOperation::Kind::kLeave}))
        enter_state(*x_state, x_rank, RankState::kCompute);
    // Where one core is enough, it keeps the baton, as in runs that have one.
    if (x_state->scheduling.cores.is_alone()) {
        x_slot->turn.computes_long = false;
        x_computing.begin_timing();
    } else if (x_state->scheduling.cores.several()) {
        lay_baton_down();
    }
    if (x_computing.is_measured()) measure_from_here();
    x_computing.show_cpu();
}

void ClockPort::lend_baton() {
    // A process in step may find more in its next step than it would have found in this one, as its
    // clock moves on.
    if (is_synchronised() || !calls_are_parallel()) return;
    x_slot->away.progress.counter = 0;
    x_slot->turn.is_away_for_long = false;
    go_away(*x_state, x_rank, /*for_long=*/false);
}

bool ClockPort::calls_are_parallel() const {
    // Events would wait for a process whose memory they reach.
    const Scheduling& scheduling = x_state->scheduling;
    return scheduling.cores.several() && !scheduling.cores.is_alone() && !scheduling.has_windows;
}

void ClockPort::lay_baton_down() {
    const bool has_received = std::exchange(x_slot->receives_finished, 0) > 0;
    const bool for_long = x_computing.forecast().leave_ns(x_slot->call.name, has_received) >
                          configuration().long_compute_ns;
    if (std::exchange(x_handovers, x_slot->totals.handovers) != x_slot->totals.handovers)
        x_slot->turn.computes_long = for_long;
    x_slot->turn.is_away_for_long = for_long;
    x_computing.show_work();
    go_away(*x_state, x_rank, for_long);
}

void ClockPort::give_way() {
    const bool computes = in_virtual_time() && x_slot->call_class == CallClass::kLocal &&
                          x_slot->status.load(std::memory_order_relaxed) < RankStatus::kFinishing;
    if (!computes || x_slot->turn.visits > 0) return;
    const Undisturbed undisturbed(x_process);
    const Computing::Pause pause(x_computing);
    if (!x_slot->turn.is_away) {
        x_computing.end_timing();
        x_computing.show_work();
    }
    kumi::conductor::give_way(*x_state, x_rank);
}

void ClockPort::charge(Duration computed) {
    if (is_synchronised() && x_slot->away.reached > x_slot->clock + computed) {
        if (!x_computing.is_measured()) {
            x_state->condemn(VerdictKind::kCorrupt, x_rank, 0,
                             "a program's count of its work fell");
            wait_for_the_end();
        }
        computed = x_slot->away.reached - x_slot->clock;
    }
    spend(computed);
}

bool ClockPort::seems_to_spin() {
    const std::uint64_t traffic = x_slot->next_sequence + x_slot->turn.received;
    if (traffic != x_quiet_since) x_quiet_calls = 0;
    x_quiet_since = traffic;
    return ++x_quiet_calls > kQuietCalls;
}

bool ClockPort::is_far_ahead() const {
    const network::Network& network = *x_state->network;
    const network::NetworkCounters& counters = network.counters();
    return network.messages_in_flight() > kManyMessages ||
           counters.injected_bytes - counters.arrived_bytes > kManyBytes;
}

void ClockPort::join(bool alone_calls_mpi) {
    const Undisturbed undisturbed(x_process);
    x_slot->cpu.joined_ns = process_cpu_ns();
    x_slot->status.store(RankStatus::kJoining);
    if (x_state->counts.joined.fetch_add(1) + 1 == rank_count()) {
        await_watch(*x_state);
        start_virtual_time(*x_state);
    }
    await_baton(*x_state, x_rank);
    x_computing.note_rank_thread(has_one_thread(), alone_calls_mpi);
    if (x_state->scheduling.cores.is_alone()) {
        x_computing.begin_timing();
    } else {
        x_slot->turn.is_away_for_long = true;
        x_computing.show_work();
        go_away(*x_state, x_rank, /*for_long=*/true);
    }
    measure_from_here();
    x_computing.show_cpu();
}

void ClockPort::finish() {
    if (!in_virtual_time()) return;
    const Undisturbed undisturbed(x_process);
    const Duration computed = x_computing.take();
    x_process.come_back();
    charge(computed);
    synchronise();
    enter_state(*x_state, x_rank, RankState::kWait);
    x_slot->call.name = "MPI_Finalize";
    x_slot->held.sees_internal = true;
    hold_internal(*x_state, x_rank, /*is_known=*/false);
    log_end(*x_state, x_rank);
    if (records_calls()) log_call(*x_state, x_rank, {.kind = CallStep::kEnd});
    x_slot->cpu.finished_ns = process_cpu_ns();
    finish_virtual_time(*x_state, x_rank);
}

void ClockPort::program_aborts(int code) {
    const Visit visit(x_process);
    x_state->diagnosis.pending_abort.note(x_rank, code);
    synchronise();
    x_state->condemn(VerdictKind::kAbort, x_rank, code, "MPI_Abort was called");
}

void ClockPort::begin_outside() {
    x_slot->facts.polls_longer = true;
    keep_in_time();
    x_slot->outside.open.fetch_add(1, std::memory_order_relaxed);
    x_state->outside.fetch_add(1, std::memory_order_relaxed);
}

void ClockPort::end_outside(bool by_rank) {
    if (!by_rank) {
        x_slot->outside.completed.fetch_add(1);
    } else if (x_slot->outside.open.load(std::memory_order_relaxed) > 0) {
        x_slot->outside.open.fetch_sub(1, std::memory_order_relaxed);
        x_state->outside.fetch_sub(1, std::memory_order_relaxed);
    }
}

Instant ClockPort::look_at_clock() {
    const Undisturbed undisturbed(x_process);
    const Duration computed = in_virtual_time() ? x_computing.take() : Duration{};
    const Visit visit(x_process);
    charge(computed);
    return now();
}

Instant ClockPort::read_clock() {
    const Visit visit(x_process);
    ++x_slot->seldom.clock_readings;
    spend(configuration().clock_cost);
    if (in_virtual_time() && x_slot->call_class == CallClass::kLocal)
        x_slot->seldom.clock_time += configuration().clock_cost;
    return look_at_clock();
}

void ClockPort::compute(Duration span) {
    KUMI_ASSERT(span.ps >= 0, "time goes forward");
    const Visit visit(x_process);
    if (records_calls() && x_slot->call_class != CallClass::kLocal)
        x_slot->recorded.computed_in_calls += span;
    spend(span);
    // What it stores from now on, others must not see before.
    if (x_slot->facts.uses_windows && in_virtual_time()) let_others_catch_up();
}

void ClockPort::sleep(Duration span) {
    if (!in_virtual_time()) return compute(span);
    const Undisturbed undisturbed(x_process);
    // A callback of the MPI library's sleeps in the time of the call, which is not measured.
    const bool in_call = x_slot->call_class != CallClass::kLocal;
    const Duration computed = in_call ? Duration{} : x_computing.take();
    const Visit visit(x_process);
    charge(computed);
    synchronise();
    if (in_call) return compute(span);
    enter_state(*x_state, x_rank, RankState::kSleep);
    spend(span);
    x_slot->seldom.slept += span;
    enter_state(*x_state, x_rank, RankState::kCompute);
    // What it stores from now on, others must not see before.
    if (x_slot->facts.uses_windows) let_others_catch_up();
}

void ClockPort::check_recorded(CallClass call_class) {
    if (call_class == CallClass::kWindow)
        CallLogPort(x_process).refuse_record("one-sided operations");
}

}  // namespace kumi::conductor
