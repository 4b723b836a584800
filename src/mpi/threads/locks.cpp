// Locks of the program, in processes with several threads: how long each has them in virtual time.

#include <pthread.h>
#include <threads.h>

#include <cerrno>

#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/export.hpp"
#include "mpi/threads/thread_times.hpp"

using namespace kumi::mpi;

// KUMI_LOCKS(NAME, TYPE, SHARING, ...): NAME, which takes the lock that its argument is.
#define KUMI_LOCKS(name, Type, sharing, ...)                      \
    KUMI_EXPORT int name(Type* lock) __VA_ARGS__ {                \
        static constinit NextFunction<int(Type*)> next{#name};    \
        const int error = next(lock);                             \
        /* With EOWNERDEAD it is locked, too. */                  \
        if (has_threads() && (error == 0 || error == EOWNERDEAD)) \
            note_locked(lock, sharing, KUMI_CALLER);              \
        return error;                                             \
    }
KUMI_LOCKS(pthread_mutex_lock, pthread_mutex_t, Sharing::kAlone, noexcept)
KUMI_LOCKS(pthread_rwlock_rdlock, pthread_rwlock_t, Sharing::kShared, noexcept)
KUMI_LOCKS(pthread_rwlock_wrlock, pthread_rwlock_t, Sharing::kAlone, noexcept)
KUMI_LOCKS(mtx_lock, mtx_t, Sharing::kAlone)

#define KUMI_UNLOCKS(name, Type, ...)                          \
    KUMI_EXPORT int name(Type* lock) __VA_ARGS__ {             \
        static constinit NextFunction<int(Type*)> next{#name}; \
        if (has_threads()) note_unlocking(lock);               \
        return next(lock);                                     \
    }
KUMI_UNLOCKS(pthread_mutex_unlock, pthread_mutex_t, noexcept)
KUMI_UNLOCKS(pthread_rwlock_unlock, pthread_rwlock_t, noexcept)
KUMI_UNLOCKS(mtx_unlock, mtx_t)
