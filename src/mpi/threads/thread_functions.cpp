// Threads of the program, and what they wait for each other by, without a limit of time.

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include <cerrno>
#include <cstdlib>

#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/rank_clock.hpp"
#include "mpi/clocks/rank_stage.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/clocks/thread_work.hpp"
#include "mpi/export.hpp"
#include "mpi/run_link.hpp"
#include "mpi/threads/thread_times.hpp"

using namespace kumi::mpi;

namespace {

const void* end_of(pthread_t thread) { return reinterpret_cast<const void*>(thread); }

/// A thread that the program makes: what it does, and the time of the one that made it.
template <class Result>
struct Start {
    Result (*function)(void*);
    void* argument;
    std::int64_t time_ns;
    bool is_of_team;
};

/// Whether the caller, which makes or joins a thread, waits by itself whenever that computes.
bool is_of_team(const void* caller) { return is_thread_runtime_code(caller); }

/// Called when a thread ends, with anything.
void leave_time_of_thread(void*) {
    if (!has_threads()) return;
    leave_time_of_end_at(end_of(pthread_self()));
    thread_work::end_thread();
}

pthread_key_t key_of_end() {
    static const pthread_key_t key = [] {
        pthread_key_t made{};
        if (pthread_key_create(&made, leave_time_of_thread) != 0) std::abort();
        return made;
    }();
    return key;
}

template <class Result>
Result run_thread(void* given) {
    const Start<Result> start = *static_cast<Start<Result>*>(given);
    std::free(given);
    // Of an earlier thread in the same place, for which no thread waited.
    forget_times_at(end_of(pthread_self()));
    begin_thread_at(start.time_ns);
    thread_work::begin_thread(start.is_of_team);
    pthread_setspecific(key_of_end(), &detail::has_threads);
    return start.function(start.argument);
}

/// Null without memory.
template <class Result>
void* prepare(Result (*function)(void*), void* argument, const void* caller) {
    auto* start = static_cast<Start<Result>*>(std::malloc(sizeof(Start<Result>)));
    if (start == nullptr) return nullptr;
    if (!detail::has_threads.exchange(true)) thread_work::open();
    // It begins where the rank is, and hands over times that others compare with the rank's.
    if (in_virtual_time()) run_link::keep_in_time();
    const bool of_team = is_of_team(caller);
    *start = {function, argument, clock_to_begin_at_ns(), of_team};
    if (!of_team) thread_work::note_made();
    return start;
}

/// It could not be made.
void give_up(void* start, const void* caller) {
    std::free(start);
    if (!is_of_team(caller)) thread_work::note_joined();
}

/// After a function that waits for the end of `thread`, if that was reached.
int joined(int error, pthread_t thread, const void* caller) {
    if (error != 0 || !has_threads()) return error;
    take_time_of_end_from(end_of(thread), caller);
    forget_times_at(end_of(thread));
    if (!is_of_team(caller)) thread_work::note_joined();
    return error;
}

/// Waits by `wait` for `condition`: gives `mutex` back, and has it again.
template <class Wait>
int wait_for_condition(Wait&& wait, const void* condition, const void* mutex, const void* caller) {
    if (!has_threads()) return wait();
    note_unlocking(mutex);
    const int error = wait();
    if (error != 0) return error;
    take_time_from(condition, Handover::kCondition, caller);
    note_locked(mutex, Sharing::kAlone, caller);
    return error;
}

}  // namespace

KUMI_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                               void* (*function)(void*), void* argument) noexcept {
    static constinit NextFunction next{::pthread_create, "pthread_create"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(thread, attributes, function, argument);
    void* start = prepare(function, argument, KUMI_CALLER);
    if (start == nullptr) return EAGAIN;
    const int error = next(thread, attributes, run_thread<void*>, start);
    if (error != 0) give_up(start, KUMI_CALLER);
    return error;
}

KUMI_EXPORT int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
    static constinit NextFunction<int(thrd_t*, thrd_start_t, void*)> next{"thrd_create"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(thread, function, argument);
    void* start = prepare(function, argument, KUMI_CALLER);
    if (start == nullptr) return thrd_nomem;
    const int error = next(thread, run_thread<int>, start);
    if (error != thrd_success) give_up(start, KUMI_CALLER);
    return error;
}

KUMI_EXPORT int pthread_join(pthread_t thread, void** result) {
    static constinit NextFunction<int(pthread_t, void**)> next{"pthread_join"};
    return joined(next(thread, result), thread, KUMI_CALLER);
}

KUMI_EXPORT int pthread_tryjoin_np(pthread_t thread, void** result) noexcept {
    static constinit NextFunction<int(pthread_t, void**)> next{"pthread_tryjoin_np"};
    return joined(next(thread, result), thread, KUMI_CALLER);
}

KUMI_EXPORT int thrd_join(thrd_t thread, int* result) {
    static constinit NextFunction<int(thrd_t, int*)> next{"thrd_join"};
    return joined(next(thread, result), thread, KUMI_CALLER);
}

KUMI_EXPORT int sem_wait(sem_t* semaphore) {
    static constinit NextFunction<int(sem_t*)> next{"sem_wait"};
    const int result = next(semaphore);
    if (has_threads() && result == 0) take_time_from(semaphore, Handover::kEvent, KUMI_CALLER);
    return result;
}

KUMI_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
    static constinit NextFunction<int(pthread_barrier_t*)> next{"pthread_barrier_wait"};
    if (has_threads()) leave_time_at(barrier, Handover::kEvent);
    const int result = next(barrier);
    if (has_threads() && (result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD))
        take_time_from(barrier, Handover::kEvent, KUMI_CALLER);
    return result;
}

// x86-64 keeps predecessors of another layout under the names of conditions' functions.
KUMI_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    static constinit NextFunction next{::pthread_cond_wait, "pthread_cond_wait", "GLIBC_2.3.2"};
    return wait_for_condition([=] { return next(condition, mutex); }, condition, mutex,
                              KUMI_CALLER);
}

KUMI_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
    static constinit NextFunction<int(cnd_t*, mtx_t*)> next{"cnd_wait"};
    return wait_for_condition([=] { return next(condition, mutex); }, condition, mutex,
                              KUMI_CALLER);
}

// KUMI_LETS_GO(NAME, VERSION, TYPE, HANDOVER, ...): NAME resumes what waits for its argument.
#define KUMI_LETS_GO(name, version, Type, handover, ...)                \
    KUMI_EXPORT int name(Type* object) __VA_ARGS__ {                    \
        static constinit NextFunction<int(Type*)> next{#name, version}; \
        if (has_threads()) leave_time_at(object, handover);             \
        return next(object);                                            \
    }
KUMI_LETS_GO(sem_post, nullptr, sem_t, Handover::kEvent, noexcept)
KUMI_LETS_GO(pthread_cond_signal, "GLIBC_2.3.2", pthread_cond_t, Handover::kCondition, noexcept)
KUMI_LETS_GO(pthread_cond_broadcast, "GLIBC_2.3.2", pthread_cond_t, Handover::kCondition, noexcept)
KUMI_LETS_GO(cnd_signal, nullptr, cnd_t, Handover::kCondition)
KUMI_LETS_GO(cnd_broadcast, nullptr, cnd_t, Handover::kCondition)

// Objects that begin, or end: others may have been in their places.
KUMI_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
    static constinit NextFunction<int(sem_t*, int, unsigned)> next{"sem_init"};
    if (has_threads()) forget_times_at(semaphore);
    return next(semaphore, shared, value);
}

KUMI_EXPORT int pthread_cond_init(pthread_cond_t* condition,
                                  const pthread_condattr_t* attributes) noexcept {
    static constinit NextFunction next{::pthread_cond_init, "pthread_cond_init", "GLIBC_2.3.2"};
    if (has_threads()) forget_times_at(condition);
    return next(condition, attributes);
}

KUMI_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex,
                                   const pthread_mutexattr_t* attributes) noexcept {
    static constinit NextFunction next{::pthread_mutex_init, "pthread_mutex_init"};
    if (has_threads()) forget_times_at(mutex);
    return next(mutex, attributes);
}

KUMI_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier,
                                     const pthread_barrierattr_t* attributes,
                                     unsigned count) noexcept {
    static constinit NextFunction next{::pthread_barrier_init, "pthread_barrier_init"};
    if (has_threads()) forget_times_at(barrier);
    return next(barrier, attributes, count);
}
