// Waits of the program that may end by time, for something outside MPI: another thread, a file.
//
// What they wait for happens in real time, and so do they; but a deadline that the program computed
// from its own clock must be moved to the system's, and when a wait has timed out the program's
// clock must have reached the deadline, or else loops that wait again until it has never end.

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

#include <cerrno>

#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/deadline.hpp"
#include "mpi/clocks/program_time.hpp"
#include "mpi/clocks/rank_clock.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/export.hpp"
#include "mpi/threads/thread_times.hpp"

using namespace kumi::mpi;

namespace {

/// The clock of a condition variable is known only to the C library; but no program waits for half
/// a century, and the two clocks are further apart than that.
clockid_t clock_of(const timespec* deadline) {
    return deadline->tv_sec < kLeastRealtime_ns / kSecond_ns ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

/// Waits by `wait(deadline)` until `deadline` of the program's clock `id` at most. Both return 0 or
/// an error number.
template <class Wait>
int wait_until(clockid_t id, const timespec* deadline, Wait&& wait) {
    const Deadline moved(id, deadline);
    const int error = wait(moved.system());
    moved.waited(error);
    return error;
}

/// The same for a condition. Whatever ends the wait, the mutex is locked again.
template <class Wait>
int wait_for_condition(clockid_t id, const timespec* deadline, const void* condition,
                       const void* mutex, const void* caller, Wait&& wait) {
    const int error = wait_until(id, deadline, [&](const timespec* system) {
        if (has_threads()) note_unlocking(mutex);
        return wait(system);
    });
    if (!has_threads()) return error;
    if (error == 0) take_time_from(condition, Handover::kCondition, caller);
    note_locked(mutex, Sharing::kAlone, caller);
    return error;
}

/// The same for a lock.
template <class Wait>
int wait_for_lock(clockid_t id, const timespec* deadline, const void* mutex, const void* caller,
                  Wait&& wait) {
    const int error = wait_until(id, deadline, wait);
    if (has_threads() && (error == 0 || error == EOWNERDEAD))
        note_locked(mutex, Sharing::kAlone, caller);
    return error;
}

const void* end_of(pthread_t thread) { return reinterpret_cast<const void*>(thread); }

/// The same for what is handed over by `object`.
template <class Wait>
int wait_for_event(clockid_t id, const timespec* deadline, const void* object, const void* caller,
                   Wait&& wait) {
    const int error = wait_until(id, deadline, wait);
    if (has_threads() && error == 0) take_time_from(object, Handover::kEvent, caller);
    return error;
}

/// After a wait for descriptors that ended with `ready` of them.
template <class Result>
Result waited_for(Result ready, bool program, std::int64_t span_ns) {
    if (program && ready == 0) pass_time(span_ns);
    return ready;
}

std::int64_t span_ns(const timespec* span) {
    std::int64_t time_ns = 0;
    return span != nullptr && to_ns(*span, time_ns) ? time_ns : 0;
}

}  // namespace

KUMI_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                       const timespec* deadline) {
    // x86-64 keeps a predecessor of another layout under the same name.
    static constinit NextFunction next{::pthread_cond_timedwait, "pthread_cond_timedwait",
                                       "GLIBC_2.3.2"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(condition, mutex, deadline);
    return wait_for_condition(
        clock_of(deadline), deadline, condition, mutex, KUMI_CALLER,
        [=](const timespec* system) { return next(condition, mutex, system); });
}

KUMI_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                       clockid_t id, const timespec* deadline) {
    static constinit NextFunction next{::pthread_cond_clockwait, "pthread_cond_clockwait"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(condition, mutex, id, deadline);
    return wait_for_condition(
        id, deadline, condition, mutex, KUMI_CALLER,
        [=](const timespec* system) { return next(condition, mutex, id, system); });
}

KUMI_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) noexcept {
    static constinit NextFunction next{::pthread_mutex_timedlock, "pthread_mutex_timedlock"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(mutex, deadline);
    return wait_for_lock(CLOCK_REALTIME, deadline, mutex, KUMI_CALLER,
                         [=](const timespec* system) { return next(mutex, system); });
}

KUMI_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t id,
                                        const timespec* deadline) noexcept {
    static constinit NextFunction next{::pthread_mutex_clocklock, "pthread_mutex_clocklock"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(mutex, id, deadline);
    return wait_for_lock(id, deadline, mutex, KUMI_CALLER,
                         [=](const timespec* system) { return next(mutex, id, system); });
}

KUMI_EXPORT int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* deadline) {
    static constinit NextFunction next{::pthread_timedjoin_np, "pthread_timedjoin_np"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(thread, result, deadline);
    return wait_for_event(CLOCK_REALTIME, deadline, end_of(thread), KUMI_CALLER,
                          [=](const timespec* system) { return next(thread, result, system); });
}

KUMI_EXPORT int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t id,
                                     const timespec* deadline) {
    static constinit NextFunction next{::pthread_clockjoin_np, "pthread_clockjoin_np"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(thread, result, id, deadline);
    return wait_for_event(id, deadline, end_of(thread), KUMI_CALLER,
                          [=](const timespec* system) { return next(thread, result, id, system); });
}

KUMI_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
    static constinit NextFunction<int(sem_t*, const timespec*)> next{"sem_timedwait"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(semaphore, deadline);
    const int error = wait_for_event(
        CLOCK_REALTIME, deadline, semaphore, KUMI_CALLER,
        [=](const timespec* system) { return next(semaphore, system) == 0 ? 0 : errno; });
    return error == 0 ? 0 : -1;
}

KUMI_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t id, const timespec* deadline) {
    static constinit NextFunction<int(sem_t*, clockid_t, const timespec*)> next{"sem_clockwait"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(semaphore, id, deadline);
    const int error = wait_for_event(
        id, deadline, semaphore, KUMI_CALLER,
        [=](const timespec* system) { return next(semaphore, id, system) == 0 ? 0 : errno; });
    return error == 0 ? 0 : -1;
}

KUMI_EXPORT int poll(pollfd* descriptors, nfds_t count, int timeout_ms) {
    static constinit NextFunction<int(pollfd*, nfds_t, int)> next{"poll"};
    const bool program = KUMI_CALLER_SEES_PROGRAM_TIME;
    return waited_for(next(descriptors, count, timeout_ms), program, timeout_ms * 1'000'000LL);
}

KUMI_EXPORT int ppoll(pollfd* descriptors, nfds_t count, const timespec* timeout,
                      const sigset_t* mask) {
    static constinit NextFunction next{::ppoll, "ppoll"};
    const bool program = KUMI_CALLER_SEES_PROGRAM_TIME;
    return waited_for(next(descriptors, count, timeout, mask), program, span_ns(timeout));
}

KUMI_EXPORT int select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* timeout) {
    static constinit NextFunction<int(int, fd_set*, fd_set*, fd_set*, timeval*)> next{"select"};
    const bool program = KUMI_CALLER_SEES_PROGRAM_TIME;
    // Linux leaves what remained in `timeout`.
    const std::int64_t asked_ns =
        timeout == nullptr ? 0 : timeout->tv_sec * kSecond_ns + timeout->tv_usec * 1'000;
    return waited_for(next(count, read, write, except, timeout), program, asked_ns);
}

KUMI_EXPORT int pselect(int count, fd_set* read, fd_set* write, fd_set* except,
                        const timespec* timeout, const sigset_t* mask) {
    static constinit NextFunction next{::pselect, "pselect"};
    const bool program = KUMI_CALLER_SEES_PROGRAM_TIME;
    return waited_for(next(count, read, write, except, timeout, mask), program, span_ns(timeout));
}

KUMI_EXPORT int epoll_wait(int epoll, epoll_event* events, int count, int timeout_ms) {
    static constinit NextFunction<int(int, epoll_event*, int, int)> next{"epoll_wait"};
    const bool program = KUMI_CALLER_SEES_PROGRAM_TIME;
    return waited_for(next(epoll, events, count, timeout_ms), program, timeout_ms * 1'000'000LL);
}

KUMI_EXPORT int epoll_pwait(int epoll, epoll_event* events, int count, int timeout_ms,
                            const sigset_t* mask) {
    static constinit NextFunction next{::epoll_pwait, "epoll_pwait"};
    const bool program = KUMI_CALLER_SEES_PROGRAM_TIME;
    return waited_for(next(epoll, events, count, timeout_ms, mask), program,
                      timeout_ms * 1'000'000LL);
}
