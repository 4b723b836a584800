#include "mpi/clocks/rank_clock.hpp"

#include <algorithm>

#include "mpi/clocks/program_time.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/clocks/thread_work.hpp"

namespace kumi::mpi {
namespace {

// Written before the stage that uses them begins.
constinit std::int64_t ended_at_ns = 0;    // Real time.
constinit std::int64_t ended_with_ns = 0;  // What the program's clocks said then.

/// What a reading costs a thread that does not spend the rank's time.
constexpr std::int64_t kOtherReading_ns = 50;
/// The calling thread's own clock: what it saw last.
constinit thread_local std::int64_t own_ns __attribute__((tls_model("initial-exec"))) = 0;
constinit thread_local std::int64_t own_sleep_ns __attribute__((tls_model("initial-exec"))) = 0;
/// It has spent the rank's time, of which its own clock knows nothing.
constinit thread_local bool was_rank_thread __attribute__((tls_model("initial-exec"))) = false;

bool knows_own_time() { return own_ns >= kJoined_ns && !was_rank_thread; }

}  // namespace

void end_virtual_time(std::int64_t shown_ns) {
    ended_with_ns = shown_ns;
    ended_at_ns = real_monotonic_ns();
    detail::stage.store(Stage::kEnded, std::memory_order_release);
}

Instant clock_of_others() {
    const bool in_mpi = detail::rank_thread.load(std::memory_order_relaxed) == &detail::call_depth;
    return in_mpi ? run_link::peek() : run_link::watch();
}

std::int64_t elapsed_ns(ClockUse use) {
    std::int64_t seen_ns = 0;
    switch (stage()) {
        case Stage::kVirtual:
            if (spends_virtual_time()) {
                if (has_threads()) thread_work::meet_if_alone();
                const bool pays = use == ClockUse::kReading;
                seen_ns = virtual_ns(pays ? run_link::read_clock() : run_link::look_at_clock());
            } else {
                count_own_computing();
                if (use == ClockUse::kReading) own_ns += kOtherReading_ns;
                seen_ns = virtual_ns(clock_of_others());
            }
            break;
        case Stage::kEnded:
            seen_ns = ended_with_ns + (real_monotonic_ns() - ended_at_ns);
            break;
        default:
            seen_ns = starting_ns(real_monotonic_ns() - started_at_ns());
    }
    own_ns = std::max(own_ns, seen_ns);
    return own_ns;
}

std::int64_t slept_ns() { return own_sleep_ns; }

void pass_time(std::int64_t span_ns) {
    if (span_ns <= 0) return;
    own_sleep_ns += to_duration(span_ns).ps / 1'000;
    if (!in_virtual_time()) return;
    if (is_rank_thread()) {
        run_link::sleep(to_duration(span_ns));
        thread_work::note_moved(to_duration(span_ns));
    } else {
        count_own_computing();
        thread_work::note_slept(to_duration(span_ns));
        own_ns = clock_to_begin_at_ns() + to_duration(span_ns).ps / 1'000;
    }
}

void count_own_computing() {
    if (!has_threads() || !in_virtual_time()) return;
    if (spends_virtual_time()) {
        if (run_link::measures_time() || run_link::counts_work()) run_link::look_at_clock();
    } else if (!is_rank_thread() && thread_work::is_thread()) {
        const std::int64_t computed_ns = thread_work::take_own_ns();
        if (computed_ns > 0) own_ns = clock_to_begin_at_ns() + computed_ns;
    }
}

std::int64_t own_clock_ns() { return own_ns; }

void come_to(std::int64_t time_ns) {
    if (is_rank_thread()) {
        pass_time(time_ns - elapsed_ns(ClockUse::kPeek));
        return;
    }
    const std::int64_t now_ns =
        knows_own_time() ? own_ns : std::max(own_ns, virtual_ns(run_link::peek()));
    if (time_ns <= now_ns) return;
    own_sleep_ns += time_ns - now_ns;
    own_ns = time_ns;
}

std::int64_t clock_to_begin_at_ns() {
    if (!in_virtual_time()) return 0;
    // Where the rank is now is not where it was when this thread's sleep began, which takes real
    // time: that would differ from run to run.
    return knows_own_time() ? own_ns : elapsed_ns(ClockUse::kPeek);
}

void begin_thread_at(std::int64_t time_ns) { own_ns = time_ns; }

void note_rank_thread() { was_rank_thread = true; }

}  // namespace kumi::mpi
