#pragma once

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/memory/arena.hpp"
#include "base/memory/guard_line.hpp"
#include "base/time/time.hpp"
#include "conductor/collectives/collectives.hpp"
#include "conductor/messages/bit_errors.hpp"
#include "conductor/messages/message.hpp"
#include "conductor/messages/message_list.hpp"
#include "conductor/rank_data/call_sums.hpp"
#include "conductor/rank_data/matching_sites.hpp"
#include "conductor/records/recorder.hpp"
#include "conductor/segment/diagnosis.hpp"
#include "conductor/segment/rank_slot.hpp"
#include "conductor/segment/run_configuration.hpp"
#include "conductor/segment/run_data.hpp"
#include "conductor/system/futex.hpp"
#include "endpoint/request.hpp"
#include "endpoint/service/account.hpp"
#include "matching/depth_line.hpp"
#include "network/network.hpp"

namespace kumi::conductor {

/// All of a run: what the launcher makes at the start of the segment and every rank maps.
struct ConductorState {
    static constexpr std::uint64_t kMagic = 0x4B756D6968696D6FULL;

    ConductorState(Arena* the_arena, const RunConfiguration& the_configuration);

    std::uint64_t magic = kMagic;
    std::uint64_t layout = 0;  ///< Set when the segment is published: see segment_layout.hpp.
    GuardLine guard_in_front;
    RunConfiguration configuration;
    Arena* arena;
    network::Network* network = nullptr;
    BitErrors* bit_errors = nullptr;  ///< If the user allows any.
    /// Of each rank; nullptr if the platform has no service.
    endpoint::service::Account* services = nullptr;
    Collectives* collectives = nullptr;  ///< If they may be scheduled.
    /// Of each rank; nullptr if matching takes no time.
    MatchingSites* matching_sites = nullptr;
    /// Of each rank; nullptr if calls are not profiled.
    CallSums* call_sums = nullptr;
    /// Of each rank; nullptr if the run leaves no tables.
    matching::DepthLine* queue_depths = nullptr;
    Duration lookahead{};  ///< No message reaches another rank sooner after it was sent.
    RankSlot* ranks;
    LinePool<Message> messages;
    /// The message that is being delivered: has just been checked.
    std::uint32_t checked = kNoMessage;
    endpoint::Requests requests;
    Scheduling scheduling;
    /// Requests of ranks that something outside of MPI will complete; see outside.hpp.
    std::atomic<std::uint32_t> outside{0};
    std::uint64_t deferred = 0;  ///< Sends and waits in streams.
    Recorder recorder;
    Diagnosis diagnosis;

    std::atomic<Phase> phase{Phase::kStarting};
    FutexMutex real_time_lock;  ///< In the phases in which there is no baton.
    RankCounts counts;
    std::atomic<std::int32_t> holder{-1};
    std::atomic<std::uint64_t> handovers{0};
    std::atomic<bool> can_reach_memory{true};  ///< process_vm_readv/writev work between ranks.
    std::int32_t launcher_pid = 0;

    RunTotals totals;
    DeadlockCheck deadlock_check;
    std::int64_t began_ns = 0, ended_ns = 0;  ///< Real time of virtual time's begin and end, or 0.
    Instant end{};                            ///< The largest clock, once all ranks have finished.
    GuardLine guard_behind;

    RankSlot& slot(std::uint32_t rank) { return ranks[rank]; }
    std::uint32_t rank_count() const { return configuration.ranks; }
    /// Whether the rank's process must be synchronised with it.
    bool keeps_in_time(std::uint32_t rank) const {
        return scheduling.stays_in_time ||
               ranks[rank].facts.stays_in_time.load(std::memory_order_relaxed);
    }

    /// Ends the run: keeps the first verdict only. The launcher sees it and stops every rank.
    [[gnu::cold]] void condemn(VerdictKind kind, std::uint32_t rank, std::int32_t code,
                               const char* text);
    /// Puts on record what `rank` has done. Ends the run if that cannot be written.
    template <class Record>
    void record(std::uint32_t rank, const Record& made) {
        if (!recorder.add(made)) condemn(VerdictKind::kRecords, rank, errno, std::strerror(errno));
    }
};

}  // namespace kumi::conductor
