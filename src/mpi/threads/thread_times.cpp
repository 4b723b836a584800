#include "mpi/threads/thread_times.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/program_time.hpp"
#include "mpi/clocks/rank_clock.hpp"
#include "mpi/clocks/thread_work.hpp"
#include "mpi/threads/left_times.hpp"

namespace kumi::mpi {

namespace {

/// A lock that the calling thread has, and the time when it got it.
struct Held {
    const void* lock;
    std::int64_t since_ns;
    Sharing sharing;
};
/// Those beyond are not known, and no thread waits for them in virtual time.
constexpr std::size_t kMostHeld = 16;
struct HeldLocks {
    std::size_t count;
    std::array<Held, kMostHeld> locks;
};
constinit thread_local HeldLocks held __attribute__((tls_model("initial-exec"))){};

// A condition's predicate is changed with the mutex held, before or after the condition is
// signalled, and a thread that finds it changed need not wait. So the time of a signal is also that
// of the mutex that this thread gave back last, and of the one that it gives back next.
constinit thread_local const void* last_unlocked __attribute__((tls_model("initial-exec"))) =
    nullptr;
constinit thread_local bool has_signalled __attribute__((tls_model("initial-exec"))) = false;

/// Times of several kinds may be left at one object, all of which are longer than this.
enum class Kind : std::uint8_t { kOwn, kSignal, kSharedLock, kComputed };
const void* place(const void* object, Kind kind) {
    return static_cast<const char*>(object) + static_cast<int>(kind);
}

std::int64_t rank_clock_ns() { return virtual_ns(run_link::peek()); }

/// Where the calling thread is. Of the rank's, what it has computed since it looked at a clock last
/// is left out: to look would cost every lock a system call.
std::int64_t here_ns() { return is_rank_thread() ? rank_clock_ns() : own_clock_ns(); }

/// Whether the time passes in the calling code that it would spend by waiting: else it is a
/// callback of the MPI library's, whose time is the call's.
bool may_wait() { return in_virtual_time() && (!is_rank_thread() || detail::call_depth == 0); }

void leave(const void* where, std::int64_t time_ns) {
    left_times::leave(where, {.begin_ns = 0, .end_ns = time_ns});
}

/// Waits for what was left there, if it is from a time that has begun.
void take(const void* where, Handover handover, const void* caller) {
    const std::int64_t now_ns = here_ns();
    if (left_times::latest_ns() <= now_ns) return;
    const auto left = left_times::find(where);
    if (!left || now_ns < left->begin_ns || now_ns >= left->end_ns) return;
    if (is_implementation_code(caller)) return;
    // Its threads meet in regions (thread_work.hpp).
    if (is_thread_runtime_code(caller)) return;
    if (handover == Handover::kCondition && is_interpreter_code(caller)) return;
    come_to(left->end_ns);
}

}  // namespace

void leave_time_at(const void* object, Handover handover) {
    if (!in_virtual_time()) return;
    count_own_computing();
    // Threads that are behind the rank leave nothing: they may have learned that it is further.
    const std::int64_t now_ns = here_ns();
    if (now_ns < rank_clock_ns()) return;
    leave(object, now_ns);
    if (handover != Handover::kCondition) return;
    has_signalled = true;
    if (last_unlocked != nullptr) leave(place(last_unlocked, Kind::kSignal), now_ns);
}

void take_time_from(const void* object, Handover handover, const void* caller) {
    if (!may_wait()) return;
    count_own_computing();
    take(object, handover, caller);
    // No thread that is ahead has left anything: it was the rank, or it has its time from there.
    if (!is_rank_thread() && !left_times::find(object) &&
        !(handover == Handover::kCondition && is_interpreter_code(caller)))
        come_to(rank_clock_ns());
}

void leave_time_of_end_at(const void* object) {
    leave_time_at(object, Handover::kEvent);
    if (in_virtual_time()) leave(place(object, Kind::kComputed), thread_work::own_total_ns());
}

void take_time_of_end_from(const void* object, const void* caller) {
    const auto end = left_times::find(object);
    const auto computed = left_times::find(place(object, Kind::kComputed));
    if (spends_virtual_time() && end && computed && !is_implementation_code(caller)) {
        const std::int64_t wait_ns = end->end_ns - elapsed_ns(ClockUse::kPeek);
        const std::int64_t computing_ns = std::min(wait_ns, computed->end_ns);
        if (computing_ns > 0) thread_work::wait_for_computing(Duration{computing_ns * 1'000});
    }
    take_time_from(object, Handover::kEvent, caller);
}

void note_locked(const void* lock, Sharing sharing, const void* caller) {
    if (!in_virtual_time()) return;
    std::int64_t now_ns = here_ns();
    if (left_times::latest_ns() > now_ns && may_wait()) {
        take(place(lock, Kind::kSignal), Handover::kCondition, caller);
        take(lock, Handover::kEvent, caller);
        if (sharing == Sharing::kAlone)
            take(place(lock, Kind::kSharedLock), Handover::kEvent, caller);
        now_ns = here_ns();
    }
    if (held.count < kMostHeld) held.locks[held.count++] = {lock, now_ns, sharing};
}

void note_unlocking(const void* lock) {
    if (!in_virtual_time()) return;
    const std::int64_t now_ns = here_ns();
    if (has_signalled && now_ns >= rank_clock_ns()) leave(place(lock, Kind::kSignal), now_ns);
    has_signalled = false;
    last_unlocked = lock;
    std::size_t i = held.count;
    while (i > 0 && held.locks[i - 1].lock != lock) --i;
    if (i == 0) return;
    const Held found = held.locks[i - 1];
    --held.count;
    for (--i; i < held.count; ++i) held.locks[i] = held.locks[i + 1];
    if (now_ns <= found.since_ns) return;
    const Kind kind = found.sharing == Sharing::kShared ? Kind::kSharedLock : Kind::kOwn;
    left_times::leave(place(lock, kind), {.begin_ns = found.since_ns, .end_ns = now_ns});
}

void forget_times_at(const void* object) {
    if (!in_virtual_time()) return;
    for (const Kind kind : {Kind::kOwn, Kind::kSignal, Kind::kSharedLock, Kind::kComputed})
        left_times::forget(place(object, kind));
}

}  // namespace kumi::mpi
