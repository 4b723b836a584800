#include "conductor/port/rank_port.hpp"

#include <time.h>

#include <cstdio>
#include <utility>

#include "conductor/baton/baton.hpp"
#include "conductor/baton/outside.hpp"
#include "conductor/delivery/rank_interface.hpp"
#include "conductor/delivery/services.hpp"
#include "conductor/logs/call_log.hpp"
#include "conductor/logs/operation_log.hpp"
#include "conductor/ranks/compute_time.hpp"
#include "conductor/ranks/progress.hpp"
#include "conductor/ranks/rank_states.hpp"
#include "conductor/ranks/scheduling.hpp"
#include "conductor/system/real_time.hpp"

namespace kumi {
namespace {

/// What may be on its way before a rank that runs ahead lets the others go first. Without a limit,
/// all messages of a rank that only sends would be in memory before the first is received.
constexpr std::uint32_t kManyMessages = 1U << 16;
constexpr std::uint64_t kManyBytes = std::uint64_t{1} << 29;

/// Calls of window functions in a row that may go by without traffic before they count as polling.
constexpr std::uint32_t kQuietCalls = 64;

/// CPU time of this thread up to which its computing has been charged.
constinit thread_local std::int64_t cpu_mark_ns = 0;
/// The same in the thread's own count of its work.
constinit thread_local std::uint64_t work_mark = 0;

std::int64_t thread_cpu_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

void RankPort::enter(CallClass call_class, const CallName& name) {
    if (!in_virtual_time()) return;
    const Undisturbed undisturbed(*this);
    const Duration computed = take_computed();
    if (x_slot->is_away) {
        x_forecast.enter();
        come_back(*x_state, x_rank);
    }
    pass_hints();
    charge(computed);
    x_slot->call_class = call_class;
    ++x_slot->call_count;
    ++x_state->calls;
    x_slot->call = name;
    if (records_calls()) check_recorded(call_class);
    if (!may_be_ahead_in(call_class) || x_slot->stream.full()) synchronise();
    const bool has_to_see = note_call(*x_state, x_rank, call_class);
    if (!is_synchronised()) return x_slot->stream.add({.kind = StreamOperation::Kind::kEnter});
    enter_state(*x_state, x_rank, RankState::kCommunication);
    x_slot->call_begin = x_slot->clock;
    if (x_slot->sent != nullptr) x_slot->sent->clear();
    if (x_slot->clock > configuration().time_limit) stop_at_limit();
    const bool spins = call_class == CallClass::kWindow && seems_to_spin();
    if (spins) spend(configuration().poll_cost);
    if (spins || has_to_see || is_far_ahead())
        let_others_catch_up();
    else if (call_class == CallClass::kPolling)
        catch_up();
}

void RankPort::leave() {
    if (!in_virtual_time()) return;
    const Undisturbed undisturbed(*this);
    if (x_slot->call_class == CallClass::kPolling) spend(configuration().poll_cost);
    x_slot->call_class = CallClass::kLocal;
    if (!put_off({.kind = StreamOperation::Kind::kLeave}))
        enter_state(*x_state, x_rank, RankState::kCompute);
    if (x_state->cores.several()) {
        const bool has_received = std::exchange(x_slot->receives_finished, 0) > 0;
        const bool for_long =
            x_forecast.leave_ns(x_slot->call, has_received) > configuration().long_compute_ns;
        if (std::exchange(x_handovers, x_slot->handovers) != x_slot->handovers)
            x_slot->computes_long = for_long;
        x_slot->is_away_for_long = for_long;
        show_progress();
        go_away(*x_state, x_rank, for_long);
    }
    if (is_measured()) cpu_mark_ns = thread_cpu_ns();
    show_cpu_progress();
}

void RankPort::show_progress() {
    ComputeProgress& progress = x_slot->progress;
    const bool is_counted = x_work.millicycles != nullptr && !x_work_moves;
    progress.counter = is_counted ? reinterpret_cast<std::uint64_t>(x_work.millicycles) : 0;
    progress.flops_per_kilocycle = x_work.flops_per_kilocycle;
    progress.charged = work_mark;
    progress.rest = x_work_rest;
}

void RankPort::show_cpu_progress() {
    // After the process has looked at its own clock, so that this is not the earlier one.
    if (x_slot->is_away && is_measured() && x_is_alone.load(std::memory_order_relaxed))
        x_slot->progress.began_cpu_ns.store(process_cpu_ns());
}

void RankPort::give_way() {
    const bool computes = in_virtual_time() && x_slot->call_class == CallClass::kLocal &&
                          x_slot->status.load(std::memory_order_relaxed) < RankStatus::kFinishing;
    if (!computes || x_slot->visits > 0) return;
    const Undisturbed undisturbed(*this);
    const std::int64_t begin_ns = is_measured() ? thread_cpu_ns() : 0;
    if (!x_slot->is_away) show_progress();
    kumi::give_way(*x_state, x_rank);
    if (is_measured()) cpu_mark_ns += thread_cpu_ns() - begin_ns;
}

// What a visit takes is not the rank's computing.

void RankPort::begin_visit() {
    const std::int64_t begin_ns = is_measured() ? thread_cpu_ns() : 0;
    hide_cpu_progress();
    x_forecast.pause();
    x_handovers_at_visit = x_slot->handovers;
    come_back(*x_state, x_rank);
    pass_hints();
    if (is_measured()) cpu_mark_ns += thread_cpu_ns() - begin_ns;
}

void RankPort::end_visit() {
    const std::int64_t begin_ns = is_measured() ? thread_cpu_ns() : 0;
    show_progress();
    // If it has waited for its turn, others may go on beside it from here on.
    const bool has_waited = x_slot->handovers != x_handovers_at_visit;
    go_away(*x_state, x_rank, has_waited && x_slot->is_away_for_long);
    x_forecast.resume();
    if (is_measured()) cpu_mark_ns += thread_cpu_ns() - begin_ns;
    show_cpu_progress();
}

Duration RankPort::take_computed() {
    switch (configuration().compute_mode) {
        case ComputeMode::kNone:
            break;
        case ComputeMode::kMeasured:
            return take_measured();
        case ComputeMode::kCounted:
            return take_counted();
    }
    return {};
}

void RankPort::charge(Duration computed) {
    if (is_synchronised() && x_slot->reached > x_slot->clock + computed) {
        if (!is_measured()) {
            x_state->condemn(VerdictKind::kCorrupt, x_rank, 0,
                             "a program's count of its work fell");
            wait_for_the_end();
        }
        computed = x_slot->reached - x_slot->clock;
    }
    spend(computed);
}

Duration RankPort::take_measured() {
    if (x_slot->is_away) hide_cpu_progress();
    const std::int64_t now_ns = thread_cpu_ns();
    const std::int64_t spent_ns = now_ns - cpu_mark_ns;
    cpu_mark_ns = now_ns;
    if (spent_ns > 0) x_slot->measured_cpu_ns += spent_ns;
    return spent_ns > 0 ? time_of_cpu(spent_ns) : Duration{};
}

void RankPort::measure_from_here() { cpu_mark_ns = thread_cpu_ns(); }

Duration RankPort::time_of_cpu(std::int64_t cpu_ns) const {
    return kumi::time_of_cpu(configuration(), cpu_ns);
}

Duration RankPort::take_counted() {
    if (x_work.millicycles == nullptr) return {};
    const std::uint64_t counted = *x_work.millicycles;
    const std::uint64_t millicycles = counted - work_mark;
    work_mark = counted;
    return kumi::time_of_work(configuration(), millicycles, x_work.flops_per_kilocycle,
                              x_work_rest);
}

Duration RankPort::time_of_work(std::uint64_t millicycles) const {
    std::int64_t rest = 0;
    return kumi::time_of_work(configuration(), millicycles, x_work.flops_per_kilocycle, rest);
}

void RankPort::follow(const WorkCounter& counter) {
    x_work_moves = x_work.millicycles != nullptr;
    x_work = counter;
    work_mark = *counter.millicycles;
}

void RankPort::catch_up() {
    // Nothing is on its way here, and whatever another rank may still send, now or once an event
    // has woken it, arrives later: the rank sees now what it would see after all others had caught
    // up.
    const RunQueue& queue = x_state->run_queue;
    Instant soonest = x_state->network->next_event_time();
    if (!queue.empty()) soonest = earlier(soonest, queue.top().clock);
    const bool too_late = soonest == kNever || soonest + x_state->lookahead > x_slot->clock;
    const bool looks_outside =
        x_state->outside.load(std::memory_order_relaxed) != 0 && is_time_to_look_outside(*x_state);
    if (x_slot->due == 0 && too_late && !looks_outside) return;
    let_others_catch_up();
}

bool RankPort::has_caught_up() const { return kumi::has_caught_up(*x_state, x_rank); }

bool RankPort::has_arrivals() const {
    if (!x_slot->inbox.empty()) return true;
    return x_slot->endpoint.by_interface && next_delivery(*x_state, x_rank) <= x_slot->clock;
}

void RankPort::await_turn() {
    if (x_slot->endpoint.by_interface && !has_caught_up()) let_others_catch_up();
}

bool RankPort::seems_to_spin() {
    const std::uint64_t traffic = x_slot->next_sequence + x_slot->messages_received;
    if (traffic != x_quiet_since) x_quiet_calls = 0;
    x_quiet_since = traffic;
    return ++x_quiet_calls > kQuietCalls;
}

bool RankPort::is_far_ahead() const {
    const Network& network = *x_state->network;
    const NetworkCounters& counters = network.counters();
    return network.messages_in_flight() > kManyMessages ||
           counters.injected_bytes - counters.arrived_bytes > kManyBytes;
}

void RankPort::let_others_catch_up() {
    x_state->run_queue.push({x_slot->clock, x_rank});
    pass_baton(*x_state, x_rank);
}

void RankPort::wait_for_clock() {
    x_slot->process = ProcessState::kAwaitsTime;
    pass_baton(*x_state, x_rank);
}

void RankPort::join() {
    const Undisturbed undisturbed(*this);
    x_slot->joined_cpu_ns = process_cpu_ns();
    x_slot->status.store(RankStatus::kJoining);
    if (x_state->joined.fetch_add(1) + 1 == rank_count()) start_virtual_time(*x_state);
    await_baton(*x_state, x_rank);
    x_is_alone.store(has_one_thread());
    x_slot->is_away_for_long = true;
    show_progress();
    go_away(*x_state, x_rank, /*for_long=*/true);
    cpu_mark_ns = thread_cpu_ns();
    show_cpu_progress();
}

void RankPort::finish() {
    if (!in_virtual_time()) return;
    const Undisturbed undisturbed(*this);
    const Duration computed = take_computed();
    if (x_slot->is_away) come_back(*x_state, x_rank);
    pass_hints();
    charge(computed);
    synchronise();
    enter_state(*x_state, x_rank, RankState::kWait);
    x_slot->call = "MPI_Finalize";
    x_slot->sees_internal = true;
    hold_internal(*x_state, x_rank, /*is_known=*/false);
    log_end(*x_state, x_rank);
    if (records_calls()) log_call(*x_state, x_rank, {.kind = CallStep::kEnd});
    x_slot->finished_cpu_ns = process_cpu_ns();
    finish_virtual_time(*x_state, x_rank);
}

void RankPort::program_aborts(int code) {
    const Visit visit(*this);
    x_state->pending_abort.note(x_rank, code);
    synchronise();
    x_state->condemn(VerdictKind::kAbort, x_rank, code, "MPI_Abort was called");
}

void RankPort::refuse(const char* text) {
    x_state->condemn(VerdictKind::kRefused, x_rank, 1, text);
}

void RankPort::begin_outside() {
    x_slot->polls_longer = true;
    keep_in_time();
    x_slot->outside.fetch_add(1, std::memory_order_relaxed);
    x_state->outside.fetch_add(1, std::memory_order_relaxed);
}

void RankPort::end_outside(bool by_rank) {
    if (!by_rank) {
        x_slot->completed_outside.fetch_add(1);
    } else if (x_slot->outside.load(std::memory_order_relaxed) > 0) {
        x_slot->outside.fetch_sub(1, std::memory_order_relaxed);
        x_state->outside.fetch_sub(1, std::memory_order_relaxed);
    }
}

Instant RankPort::look_at_clock() {
    const Undisturbed undisturbed(*this);
    const Duration computed = in_virtual_time() ? take_computed() : Duration{};
    const Visit visit(*this);
    charge(computed);
    return now();
}

Instant RankPort::read_clock() {
    const Visit visit(*this);
    ++x_slot->clock_readings;
    spend(configuration().clock_cost);
    if (in_virtual_time() && x_slot->call_class == CallClass::kLocal)
        x_slot->clock_time += configuration().clock_cost;
    return look_at_clock();
}

void RankPort::compute(Duration span) {
    KUMI_ASSERT(span.ps >= 0, "time goes forward");
    const Visit visit(*this);
    if (records_calls() && x_slot->call_class != CallClass::kLocal)
        x_slot->computed_in_calls += span;
    spend(span);
    // What it stores from now on, others must not see before.
    if (x_slot->uses_windows && in_virtual_time()) let_others_catch_up();
}

void RankPort::sleep(Duration span) {
    if (!in_virtual_time()) return compute(span);
    const Undisturbed undisturbed(*this);
    // A callback of the MPI library's sleeps in the time of the call, which is not measured.
    const bool in_call = x_slot->call_class != CallClass::kLocal;
    const Duration computed = in_call ? Duration{} : take_computed();
    const Visit visit(*this);
    charge(computed);
    synchronise();
    if (in_call) return compute(span);
    enter_state(*x_state, x_rank, RankState::kSleep);
    spend(span);
    x_slot->slept += span;
    enter_state(*x_state, x_rank, RankState::kCompute);
    // What it stores from now on, others must not see before.
    if (x_slot->uses_windows) let_others_catch_up();
}

void RankPort::note_hint(endpoint::service::Hint hint) {
    if (!in_virtual_time()) return;
    if (hint.key == endpoint::service::HintKey::kEager)
        x_slot->eager_limit_bytes =
            std::max(configuration().endpoint.eager_limit_bytes, hint.size_bytes());
    if (hint.key == endpoint::service::HintKey::kInKernel) note_region(hint.value == 1);
    if (records_calls()) {
        const Visit visit(*this);
        log({.kind = CallStep::kHint, .tag = hint.packed()});
    }
    if (x_state->services == nullptr) return;
    {
        const Undisturbed undisturbed(*this);
        if (x_slot->is_away && x_noted_hints < x_hints.size()) {
            x_hints[x_noted_hints++] = hint.packed();
            return;
        }
    }
    const Visit visit(*this);
    pass_hint(hint);
}

// An end without a beginning changes nothing, as for services.
void RankPort::note_region(bool begins) {
    std::uint32_t depth = x_kernel_depth.load(std::memory_order_relaxed);
    while ((begins || depth > 0) &&
           !x_kernel_depth.compare_exchange_weak(depth, begins ? depth + 1 : depth - 1,
                                                 std::memory_order_relaxed)) {
    }
}

void RankPort::pass_hint(endpoint::service::Hint hint) {
    if (put_off({.kind = StreamOperation::Kind::kHint, .number = hint.packed()})) return;
    take_hint(*x_state, x_rank, hint);
}

void RankPort::pass_noted_hints() {
    for (std::uint32_t i = 0; i < x_noted_hints; ++i)
        pass_hint(endpoint::service::Hint::unpacked(x_hints[i]));
    x_noted_hints = 0;
}

void RankPort::check_recorded(CallClass call_class) {
    if (call_class == CallClass::kWindow) refuse_record("one-sided operations");
}

std::uint32_t RankPort::log_request(const LoggedCall& call) {
    LoggedCall numbered = call;
    numbered.request = ++x_slot->logged_requests;
    log_call(*x_state, x_rank, numbered);
    return numbered.request;
}

void RankPort::refuse_record(const char* what) {
    char text[300];
    std::snprintf(text, sizeof text,
                  "%s: kumihimo record --of calls cannot record %s; expected a program without "
                  "them, or --of wire",
                  x_slot->call.text, what);
    refuse(text);
}

void RankPort::log(const LoggedCall& call) { log_call(*x_state, x_rank, call); }

void RankPort::wake(std::span<const WakeRequest> requests) {
    if (requests.empty() || !in_virtual_time() || !takes_wake_frames()) return;
    const Visit visit(*this);
    spend(configuration().wake_cost);
    send_wake_frames(requests);
}

void RankPort::wake_by_timer(std::span<const WakeRequest> requests) {
    const Visit visit(*this);
    if (in_virtual_time() && takes_wake_frames()) send_wake_frames(requests);
}

void RankPort::idle(Duration span) {
    enter_state(*x_state, x_rank, RankState::kSleep);
    spend(span);
    enter_state(*x_state, x_rank, RankState::kCommunication);
}

void RankPort::send_wake_frames(std::span<const WakeRequest> requests) {
    for (const WakeRequest& request : requests) {
        KUMI_ASSERT(request.target < rank_count(), "a wake frame to a rank that is not there");
        KUMI_ASSERT(request.delay.ps >= 0 && request.hold.ps >= 0, "time goes forward");
        x_state->network->send_wake_frame(x_slot->clock + request.delay, x_slot->host,
                                          x_state->slot(request.target).host, request.hold,
                                          request.messages, x_rank, x_slot->wake_frames++);
    }
}

}  // namespace kumi
