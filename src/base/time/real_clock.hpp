#pragma once

#include <cstdint>

namespace kumi::inline base {

/// Clocks that show real time to the program, as bits: what it does by them may differ between
/// runs. Kept for the result.
enum class RealClock : std::uint32_t {
    /// The processor's time-stamp counter cannot be, or is not, taken over: it is unknown
    /// whether the program reads it.
    kUnwatchedCounter = 1,
    kKernelPage = 2,  ///< The vDSO, called directly or by the C library.
    kTimer = 4,       ///< Alarms and interval timers: their signals come in real time.
    kCpuTime = 8,     ///< The CPU time of another process or thread, or of children.
    /// Threads computed while their rank was in MPI: how much by which call depends on real time.
    kThreadsInCalls = 16,
};

}  // namespace kumi::inline base
