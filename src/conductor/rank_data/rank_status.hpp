#pragma once

#include <cstdint>

namespace kumi::conductor {

/// Phases of the run.
enum class Phase : std::uint32_t {
    kStarting = 0,  ///< Real time: messages are delivered at once.
    kVirtual = 1,
    kEnding = 2,  ///< Real time again, after the last rank called MPI_Finalize.
};

/// How far a rank has come in the run.
enum class RankStatus : std::uint32_t {
    kAbsent = 0,
    kStarting = 1,
    kJoining = 2,
    kRunnable = 3,  ///< Running, or in the run queue.
    kBlocked = 4,
    kFinishing = 5,
    kLeft = 6,
};

/// What the word of a process that waits for the baton says.
enum BatonWord : std::uint32_t {
    kNoBaton = 0,
    kHasBaton = 1,
    kWatchCore = 2,  ///< It is to watch a free core: see baton.cpp.
};

}  // namespace kumi::conductor
