#include "conductor/process/computing.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "conductor/ranks/progress.hpp"
#include "conductor/system/real_time.hpp"

namespace kumi::conductor {
namespace {

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

Computing::Pause::Pause(const Computing& computing)
    : x_is_measured(computing.is_measured()), x_begin_ns(x_is_measured ? thread_cpu_ns() : 0) {}

Computing::Pause::~Pause() {
    if (x_is_measured) cpu_mark_ns += thread_cpu_ns() - x_begin_ns;
}

void Computing::follow(const WorkCounter& counter) {
    x_work_moves = x_work.millicycles != nullptr;
    x_work = counter;
    work_mark = *counter.millicycles;
}

void Computing::measure_from_here() { cpu_mark_ns = thread_cpu_ns(); }

void Computing::note_rank_thread(bool is_only, bool stays) {
    if (stays) x_thread = ::gettid();
    x_is_seen.store(is_only);
    if (!is_only) note_threads();
}

void Computing::note_threads() {
    // The process's CPU time is no longer the rank's, but its thread's is.
    x_is_seen.store(false);
    hide_cpu();
    x_slot.away.progress.thread.store(x_thread);
    x_is_seen.store(x_thread != 0);
}

Duration Computing::time_of_cpu(std::int64_t cpu_ns) const {
    return kumi::conductor::time_of_cpu(x_state.configuration, cpu_ns);
}

Duration Computing::time_of_work(std::uint64_t millicycles) const {
    std::int64_t rest = 0;
    return kumi::conductor::time_of_work(x_state.configuration, millicycles,
                                         x_work.flops_per_kilocycle, rest);
}

Duration Computing::take() {
    if (is_measured()) return take_measured();
    return x_state.configuration.compute_mode == ComputeMode::kCounted ? take_counted()
                                                                       : Duration{};
}

Duration Computing::take_measured() {
    if (x_slot.turn.is_away) hide_cpu();
    const std::int64_t now_ns = thread_cpu_ns();
    const std::int64_t spent_ns = now_ns - cpu_mark_ns;
    cpu_mark_ns = now_ns;
    if (spent_ns > 0) x_slot.cpu.measured_ns += spent_ns;
    return spent_ns > 0 ? time_of_cpu(spent_ns) : Duration{};
}

Duration Computing::take_counted() {
    if (x_work.millicycles == nullptr) return {};
    const std::uint64_t counted = *x_work.millicycles;
    const std::uint64_t millicycles = counted - work_mark;
    work_mark = counted;
    return kumi::conductor::time_of_work(x_state.configuration, millicycles,
                                         x_work.flops_per_kilocycle, x_work_rest);
}

void Computing::show_work() {
    ComputeProgress& progress = x_slot.away.progress;
    const bool is_counted = x_work.millicycles != nullptr && !x_work_moves;
    progress.counter = is_counted ? reinterpret_cast<std::uint64_t>(x_work.millicycles) : 0;
    progress.flops_per_kilocycle = x_work.flops_per_kilocycle;
    progress.charged = work_mark;
    progress.rest = x_work_rest;
}

void Computing::show_cpu() {
    // After the process has looked at its own clock, so that this is not the earlier one.
    if (!x_slot.turn.is_away || !is_measured() || !x_is_seen.load(std::memory_order_relaxed))
        return;
    ComputeProgress& progress = x_slot.away.progress;
    progress.began_cpu_ns.store(progress.thread.load() != 0 ? thread_cpu_ns() : process_cpu_ns());
}

bool Computing::note_timed() {
    // Between the two looks at the clock lies the time of one.
    const std::int64_t looking_ns = real_clock_cost_ns();
    const std::int64_t computed_ns = real_ns() - std::exchange(x_began_ns, 0) - looking_ns;
    x_state.scheduling.core_trial.note_computing(std::max(computed_ns, std::int64_t{0}),
                                                 2 * looking_ns);
    return true;
}

}  // namespace kumi::conductor
