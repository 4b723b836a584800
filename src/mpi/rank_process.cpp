#include "mpi/rank_process.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "mpi/processor_counter.hpp"
#include "mpi/profile/session.hpp"
#include "mpi/program_time.hpp"
#include "mpi/real_time.hpp"
#include "mpi/restartable_sequences.hpp"
#include "mpi/seed_process.hpp"
#include "mpi/wake/session.hpp"
#include "mpi/work_counter.hpp"

namespace kumi::mpi {

namespace detail {
constinit std::atomic<const void*> thread_in_mpi{nullptr};
}  // namespace detail

namespace {

// Written before the stage that uses them begins.
constinit std::int64_t ended_at_ns = 0;    // Real time.
constinit std::int64_t ended_with_ns = 0;  // What the program's clocks said then.

/// What a reading costs a thread that does not spend the rank's time.
constexpr std::int64_t kOtherReading_ns = 50;
/// The calling thread's own clock: what it saw last.
constinit thread_local std::int64_t own_ns __attribute__((tls_model("initial-exec"))) = 0;
constinit thread_local std::int64_t own_sleep_ns __attribute__((tls_model("initial-exec"))) = 0;

void end_at(std::int64_t elapsed) {
    ended_with_ns = elapsed;
    ended_at_ns = real_monotonic_ns();
    detail::stage.store(Stage::kEnded, std::memory_order_release);
}

// A child of the rank goes on from what the clocks said, but it is not the rank.
constinit std::int64_t forked_with_ns = 0;
void before_fork() {
    if (stage() != Stage::kOutside) forked_with_ns = elapsed_ns(ClockUse::kPeek);
}
void in_child() {
    if (stage() != Stage::kOutside) end_at(forked_with_ns);
}

// The last of the libraries' constructors: what is preloaded comes after all that it may need, and
// the program's own are run after it.
__attribute__((constructor)) void start() {
    if (is_seed()) become_ranks();
    // A process that is no rank stays exactly as it was.
    if (stage() == Stage::kOutside) return;
    forgo_restartable_sequences();
    take_counter_over();
    pthread_atfork(before_fork, nullptr, in_child);
}

}  // namespace

bool attach_to_run() {
    if (stage() != Stage::kStarting) return stage() == Stage::kVirtual;
    static constinit bool attached = false;
    if (!attached) attached = run_link::attach();
    if (attached) return true;
    std::fprintf(stderr, "kumihimo: this process cannot take part in the run\n");
    std::_Exit(1);
}

void join_run() {
    if (run_link::counts_work()) follow_work_of_this_thread();
    run_link::join();
    detail::rank_thread.store(&detail::call_depth, std::memory_order_relaxed);
    detail::stage.store(Stage::kVirtual, std::memory_order_release);
    if (!has_counter()) run_link::note_real_clock(RealClock::kUnwatchedCounter);
    wake::begin();
    profile::begin();
}

void finish_run() {
    wake::end();
    run_link::finish();
    end_at(virtual_ns(run_link::now()));
    profile::save();
}

void detail::take_over() {
    detail::rank_thread.store(&detail::call_depth, std::memory_order_relaxed);
    if (run_link::counts_work()) follow_work_of_this_thread();
    const std::int64_t ahead_ns = own_ns - virtual_ns(run_link::now());
    if (ahead_ns > 0) run_link::sleep(to_duration(ahead_ns));
}

void detail::refuse_second_thread(const char* name) {
    char text[200];
    std::snprintf(text, sizeof text,
                  "a thread calls %s while another thread of the rank is in MPI: a simulated run "
                  "gives MPI_THREAD_SERIALIZED at most",
                  name);
    run_link::refuse(text);
    std::_Exit(1);
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
                const bool pays = use == ClockUse::kReading;
                seen_ns = virtual_ns(pays ? run_link::read_clock() : run_link::look_at_clock());
            } else {
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
    if (spends_virtual_time()) {
        run_link::sleep(to_duration(span_ns));
    } else {
        own_ns = elapsed_ns(ClockUse::kPeek) + to_duration(span_ns).ps / 1'000;
    }
}

}  // namespace kumi::mpi
