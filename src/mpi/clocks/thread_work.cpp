#include "mpi/clocks/thread_work.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "mpi/clocks/kernel_clock.hpp"
#include "mpi/clocks/rank_stage.hpp"
#include "mpi/core_share.hpp"
#include "mpi/run_link.hpp"
#include "mpi/spin_lock.hpp"

namespace kumi::mpi::thread_work {
namespace {

/// A thread of the program. Only atomic variables are written without the lock, by the thread
/// itself.
struct Thread {
    Thread* next;
    Thread* previous;
    clockid_t cpu_clock;
    const std::uint64_t* millicycles;  ///< Where it counts its work; null if it does not.
    std::atomic<std::int64_t> said_ps;
    /// What it slept. Those that are not of a team have a clock that others wait for.
    std::atomic<std::int64_t> slept_ps;
    // How much of what it has found and said had been seen when threads met last.
    Duration found_seen;
    Duration said_seen;
    Duration carried;   ///< What it did in an MPI call of the rank's, beyond what that covered.
    Duration own_seen;  ///< Of both, what its own clock has seen.
    bool is_there;
    bool is_of_team;
};
constinit thread_local Thread own __attribute__((tls_model("initial-exec"))){};
/// Parallel regions that the calling thread has begun as the rank's.
constinit thread_local int own_regions __attribute__((tls_model("initial-exec"))) = 0;

constinit std::atomic_flag is_locked{};  ///< For what follows here.

constinit Thread* first = nullptr;
/// What threads did since all met last that have ended since.
constinit Duration ended_longest{};
constinit Duration ended_sum{};
constinit Duration carried_sum{};  ///< As Thread::carried, for what the cores need.
/// The rank's clock has moved by that since threads met last, in ways that are no measured or
/// counted computing.
constinit std::atomic<std::int64_t> moved_ps{0};
/// Threads that have been made and not joined.
constinit std::atomic<int> unjoined{0};
/// Parallel regions that the rank's thread is in.
constinit std::atomic<int> regions{0};

/// What measuring finds of threads that wait for work, at most.
constexpr Duration kNoise{10'000'000};

/// Computing of which the thread knows nothing.
Duration found(const Thread& thread) {
    if (run_link::measures_time()) {
        timespec now{};
        if (kernel_clock_gettime(thread.cpu_clock, &now) != 0) return thread.found_seen;
        return run_link::time_of_cpu(static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 +
                                     now.tv_nsec);
    }
    if (!run_link::counts_work() || thread.millicycles == nullptr) return {};
    return run_link::time_of_work(__atomic_load_n(thread.millicycles, __ATOMIC_RELAXED));
}

Duration said(const Thread& thread) {
    return Duration{thread.said_ps.load(std::memory_order_relaxed)};
}

/// What it has done since it was looked at last.
struct Done {
    Duration found;
    Duration said;
    Duration all() const { return found + said; }
};
Done look_at(Thread& thread) {
    const Duration found_now = found(thread);
    const Duration said_now = said(thread);
    const Done done{found_now - thread.found_seen, said_now - thread.said_seen};
    thread.found_seen = found_now;
    thread.said_seen = said_now;
    return done;
}

Duration without(Duration span, Duration covered) { return std::max(span - covered, Duration{}); }

/// Threads come together. What the calling one has found is the rank's already where it
/// `is_rank_thread`; what it said has moved the clock when it did.
void settle(bool is_rank_thread) {
    Duration moved{moved_ps.exchange(0, std::memory_order_relaxed)};
    Duration longest{};
    Duration sum{};
    {
        const SpinLock lock(is_locked);
        longest = std::exchange(ended_longest, {});
        sum = std::exchange(ended_sum, {}) + std::exchange(carried_sum, {});
        for (Thread* thread = first; thread != nullptr; thread = thread->next) {
            const Done done = look_at(*thread);
            const Duration slept{thread->slept_ps.exchange(0, std::memory_order_relaxed)};
            longest = std::max(longest, done.all() + slept + std::exchange(thread->carried, {}));
            sum += done.all();
            if (thread == &own && is_rank_thread) moved += done.found;
        }
    }
    const Duration least = run_link::cores().least_time(longest, sum);
    if (least > moved) run_link::compute(least - moved);
}

/// Nothing that threads have done so far counts.
void forget_all() {
    const SpinLock lock(is_locked);
    for (Thread* thread = first; thread != nullptr; thread = thread->next) {
        look_at(*thread);
        thread->slept_ps.store(0, std::memory_order_relaxed);
        thread->carried = {};
    }
    ended_longest = ended_sum = carried_sum = {};
    moved_ps.store(0, std::memory_order_relaxed);
}

}  // namespace

bool is_thread() { return own.is_there; }

void begin_thread(bool is_of_team) {
    if (own.is_there) return;
    clockid_t clock = CLOCK_THREAD_CPUTIME_ID;
    ::pthread_getcpuclockid(::pthread_self(), &clock);
    own.cpu_clock = clock;
    // Of a thread-local variable, the calling thread's. The name is that of src/passes.
    own.millicycles = static_cast<const std::uint64_t*>(::dlsym(RTLD_DEFAULT, "kumi_work"));
    own.is_of_team = is_of_team;
    own.is_there = true;
    const SpinLock lock(is_locked);
    own.previous = nullptr;
    own.next = first;
    if (first != nullptr) first->previous = &own;
    first = &own;
}

void end_thread() {
    if (!own.is_there) return;
    own.is_there = false;
    const SpinLock lock(is_locked);
    (own.previous != nullptr ? own.previous->next : first) = own.next;
    if (own.next != nullptr) own.next->previous = own.previous;
    if (!in_virtual_time()) return;
    const Done done = look_at(own);
    ended_longest = std::max(ended_longest, done.all() + own.carried);
    ended_sum += done.all();
}

void open() {
    if (!in_virtual_time()) return;
    run_link::note_threads();
    forget_all();
}

void note_slept(Duration span) {
    if (own.is_of_team) own.slept_ps.fetch_add(span.ps, std::memory_order_relaxed);
}

void note_made() { unjoined.fetch_add(1); }
void note_joined() { unjoined.fetch_sub(1); }

void say(Duration span) {
    own.said_ps.store(own.said_ps.load(std::memory_order_relaxed) + span.ps,
                      std::memory_order_relaxed);
}

void note_said(Duration span) {
    say(span);
    if (spends_virtual_time()) note_moved(span);
}

std::int64_t take_own_ns() {
    const Duration all = found(own) + said(own);
    const std::int64_t new_ns = (all - own.own_seen).ps / 1'000;
    own.own_seen += Duration{new_ns * 1'000};
    return new_ns;
}

std::int64_t own_total_ns() { return own.own_seen.ps / 1'000; }

void note_moved(Duration span) { moved_ps.fetch_add(span.ps, std::memory_order_relaxed); }

void wait_for_computing(Duration span) {
    run_link::compute(span);
    note_moved(span);
}

void meet() { settle(/*is_rank_thread=*/true); }

void meet_if_alone() {
    if (spends_virtual_time() && regions.load() == 0 && unjoined.load() == 0) meet();
}

void meet_at_take_over() { settle(/*is_rank_thread=*/false); }

void depart() {
    const Duration call = run_link::peek() - run_link::call_begin();
    const SpinLock lock(is_locked);
    Duration sum = std::exchange(ended_sum, {});
    ended_longest = without(ended_longest, call);
    for (Thread* thread = first; thread != nullptr; thread = thread->next) {
        const Duration done = look_at(*thread).all();
        const Duration slept{thread->slept_ps.exchange(0, std::memory_order_relaxed)};
        if (thread == &own) continue;
        thread->carried = without(done + slept, call);
        sum += done;
    }
    carried_sum = without(sum, run_link::cores().capacity(call));
    moved_ps.store(0, std::memory_order_relaxed);
    if (sum > (run_link::measures_time() ? kNoise : Duration{}))
        run_link::note_real_clock(RealClock::kThreadsInCalls);
}

void begin() {
    begin_thread(/*is_of_team=*/false);
    forget_all();
}

void begin_region() {
    if (!is_rank_thread() && in_virtual_time()) return;
    if (has_threads() && spends_virtual_time()) meet();
    ++own_regions;
    regions.fetch_add(1);
}

void end_region() {
    if (own_regions == 0) return;
    --own_regions;
    regions.fetch_sub(1);
    if (has_threads() && spends_virtual_time()) meet();
}

}  // namespace kumi::mpi::thread_work
