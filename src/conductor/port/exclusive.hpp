#pragma once

#include <mutex>

#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// Holds the real-time lock while there is no baton.
class Exclusive {
   public:
    explicit Exclusive(ConductorState& state) {
        if (state.phase.load(std::memory_order_acquire) != Phase::kVirtual)
            x_lock = std::unique_lock(state.real_time_lock);
    }

   private:
    std::unique_lock<FutexMutex> x_lock;
};

}  // namespace kumi::conductor
