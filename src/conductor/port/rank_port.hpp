#pragma once

#include <mutex>

#include "conductor/process/rank_process.hpp"
#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// What the ports of a rank have in common: each is a view of the rank's process with one purpose.
/// It reaches the segment itself, so that its inline functions do so directly.
class RankPort : protected RankAccess {
   protected:
    using Visit = RankProcess::Visit;

    explicit RankPort(RankProcess& process) : RankAccess(process), x_process(process) {}

    RankProcess& x_process;
};

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
