#pragma once

#include <atomic>
#include <cstdint>

#include "conductor/rank_data/core_trial.hpp"
#include "conductor/rank_data/cores.hpp"
#include "conductor/rank_data/deferral.hpp"
#include "conductor/rank_data/run_queue.hpp"
#include "conductor/system/futex.hpp"

namespace kumi::conductor {

/// Which process goes on next, and where.
struct Scheduling {
    Scheduling(Arena* arena, std::uint32_t ranks) : run_queue(arena, ranks), ready(arena, ranks) {}

    RunQueue run_queue;
    ReadyRanks ready;  ///< They can run ahead: none is in the run queue.
    Deferral deferral;
    bool stays_in_time = false;  ///< No rank runs ahead any more.
    bool has_windows = false;    ///< Processes may put into the memory of others, and get from it.
    std::uint32_t away = 0;      ///< Number of processes that are.
    std::uint64_t choices = 0;   ///< Of the process that goes on next.
    /// How often processes have gone away since, while others waited and a core was free.
    std::uint32_t passed_over = 0;
    /// The last choice found no process before one that is away for long has got further.
    bool is_worth_watching = false;
    FutexMutex baton;  ///< Held by the process that has it.
    Cores cores;
    CoreTrial core_trial;
};

/// Number of ranks that have come so far.
struct RankCounts {
    std::atomic<std::uint32_t> attached{0};
    std::atomic<std::uint32_t> joined{0};
    std::atomic<std::uint32_t> finishing{0};
    /// 1 if virtual time waits for the launcher, which does not watch all processes yet.
    std::atomic<std::uint32_t> unwatched{0};
};

/// Sums over all ranks.
struct RunTotals {
    std::uint64_t messages = 0, bytes = 0;
    std::uint64_t control_messages = 0, control_bytes = 0;
    std::uint64_t posts = 0;  ///< Everything ever posted.
    std::uint64_t calls = 0;  ///< MPI calls that any rank has begun.
};

/// What distinguishes a deadlock from a wait for something outside of MPI.
struct DeadlockCheck {
    std::uint64_t steps_at_recheck = ~std::uint64_t{0};  ///< Posts and calls at the last one.
    std::uint64_t rechecks = 0;          ///< Number in a row that found the same number of them.
    std::int64_t outside_looked_ns = 0;  ///< Real time when ranks last looked for such requests.
    bool only_looks = false;             ///< Ranks do nothing but look for such requests.
};

}  // namespace kumi::conductor
