#pragma once

#include <cstdint>

#include "base/check.hpp"

namespace kumi::conductor {

/// What a rank's process does. It is synchronised with its rank if the rank's stream is empty, else
/// it runs ahead of the rank's clock.
enum class ProcessState : std::uint8_t {
    kRuns = 0,            ///< Or lets others catch up, which it may do at any time.
    kReady = 1,           ///< Could run: all that it awaits is certain.
    kAwaitsRequests = 2,  ///< Goes on when its rank has them, or when all of them are certain.
    kAwaitsTime = 3,      ///< Goes on when its stream has been carried out.
};

/// The state of one process. Plain data in the segment; for the holder of the baton.
class CurrentProcessState {
   public:
    operator ProcessState() const { return x_state; }

    void enter(ProcessState next) {
        KUMI_ASSERT(is_legal(x_state, next), "a process enters a state that it cannot");
        x_state = next;
    }
    /// Never from or to a value that is no state, as damaged memory has.
    static constexpr bool is_legal(ProcessState from, ProcessState to) {
        return from <= ProcessState::kAwaitsTime && to <= ProcessState::kAwaitsTime &&
               kLegal[static_cast<unsigned>(from)][static_cast<unsigned>(to)];
    }

   private:
    static constexpr bool kLegal[4][4] = {
        // to kRuns, kReady, kAwaitsRequests, kAwaitsTime
        /* kRuns           */ {true, true, true, true},  // kReady: virtual time begins.
        /* kReady          */ {true, false, false, false},
        /* kAwaitsRequests */ {true, true, false, false},
        /* kAwaitsTime     */ {true, false, false, false},
    };

    ProcessState x_state = ProcessState::kRuns;
};

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
