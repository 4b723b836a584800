#pragma once

#include <sys/syscall.h>

#include <atomic>

#include "base/system_call.hpp"

namespace kumi::mpi {

/// Holds a lock for its own lifetime. A mutex of the system's would be taken for one of the
/// program's. Not for handlers of signals.
class SpinLock {
   public:
    explicit SpinLock(std::atomic_flag& is_locked) : x_is_locked(is_locked) {
        // Ranks have one core: the holder of the lock must get it.
        while (x_is_locked.test_and_set(std::memory_order_acquire)) call_kernel(SYS_sched_yield);
    }
    ~SpinLock() { x_is_locked.clear(std::memory_order_release); }
    SpinLock(const SpinLock&) = delete;
    SpinLock& operator=(const SpinLock&) = delete;

   private:
    std::atomic_flag& x_is_locked;
};

}  // namespace kumi::mpi
