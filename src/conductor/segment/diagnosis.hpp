#pragma once

#include <atomic>
#include <cstdint>

#include "base/assertions.hpp"
#include "base/call_name.hpp"

namespace kumi::conductor {

/// Why a run ended early, found inside a rank.
enum class VerdictKind : std::uint32_t {
    kNone = 0,
    kDeadlock = 1,
    kTimeLimit = 2,
    kAbort = 3,         ///< MPI_Abort.
    kCorrupt = 4,       ///< A message in the segment makes no sense.
    kRecords = 5,       ///< The records could not be written.
    kRefused = 6,       ///< The program asked for what is not supported.
    kRemoteAccess = 7,  ///< A put or get outside of exposed memory.
    kNetworkStuck = 8,  ///< Full buffers of the network wait for each other.
    kNoRoute = 9,       ///< A message between hosts without a path; `code` is the rank it is for.
};

struct Verdict {
    std::atomic<VerdictKind> kind{VerdictKind::kNone};
    std::uint32_t rank = 0;
    std::int32_t code = 0;
    char text[512] = {};
};

/// A rank has called MPI_Abort and waits until all others have come to its clock: one of them could
/// still end the run for an earlier reason.
struct PendingAbort {
    std::atomic<bool> is_there{false};
    std::uint32_t rank = 0;
    std::int32_t code = 0;

    /// Only the first one counts. The caller holds the baton.
    void note(std::uint32_t by_rank, std::int32_t with_code) {
        if (is_there.load(std::memory_order_relaxed)) return;
        rank = by_rank;
        code = with_code;
        is_there.store(true, std::memory_order_release);
    }
};

/// Names of what ranks asked for and cannot have: MPI functions, for which the program got an
/// error, or keys of hints.
struct RefusedNames {
    static constexpr std::uint32_t kMost = 8;
    CallName names[kMost] = {};
    std::atomic<std::uint32_t> count{0};

    /// Returns whether it is new. The caller holds the baton.
    bool add(const CallName& name);
};

/// What was found wrong with the run or the program.
struct Diagnosis {
    Verdict verdict;
    PendingAbort pending_abort;
    RefusedNames refused;
    RefusedNames unknown_hints;
    RefusedNames broken_by[kAssertions];  ///< MPI functions that broke an assertion.
};

}  // namespace kumi::conductor
