#pragma once

#include <atomic>
#include <cstdint>

#include "base/call_class.hpp"
#include "base/memory/guard_line.hpp"
#include "base/time/time.hpp"
#include "conductor/collectives/collectives.hpp"
#include "conductor/messages/message_list.hpp"
#include "conductor/rank_data/away_data.hpp"
#include "conductor/rank_data/guarded_instant.hpp"
#include "conductor/rank_data/held_requests.hpp"
#include "conductor/rank_data/memory_regions.hpp"
#include "conductor/rank_data/pairing_queues.hpp"
#include "conductor/rank_data/process_facts.hpp"
#include "conductor/rank_data/process_state.hpp"
#include "conductor/rank_data/rank_totals.hpp"
#include "conductor/rank_data/sent_messages.hpp"
#include "conductor/rank_data/stream.hpp"
#include "conductor/rank_data/turn_data.hpp"
#include "conductor/records/records.hpp"
#include "endpoint/endpoint.hpp"

namespace kumi::conductor {

/// One rank's part of the segment. Written by that rank while it holds the baton, and by others
/// that hold the baton when a message arrives for it.
///
/// Ordered by cache lines: among many ranks, every message brings those of two ranks into the
/// processor's caches anew.
struct alignas(64) RankSlot {
    std::atomic<std::uint32_t> baton{0};  ///< Futex: a BatonWord.
    std::atomic<RankStatus> status{RankStatus::kAbsent};
    GuardedInstant clock;
    Instant state_begin{};
    RankState state = RankState::kCompute;
    CallClass call_class = CallClass::kLocal;
    CurrentProcessState process;
    std::uint32_t host = 0;
    Inbox inbox;
    std::uint32_t due = 0;         ///< Messages, answers and accesses on their way to this rank.
    std::uint32_t call_count = 0;  ///< Outermost MPI calls so far; begins again after 2^32.
    std::uint64_t next_sequence = 0;

    alignas(64) Stream stream;  ///< What its process has asked for.
    Instant due_from{};         ///< If anything is due, it does not come before this.
    TurnData turn;
    HeldRequests held;
    std::uint32_t receives = 0;           ///< Posted so far.
    std::uint32_t receives_finished = 0;  ///< In the present MPI call.
    std::uint16_t site = 0;               ///< Of the present MPI call: as of MatchingSites.
    Inbox to_serve;                       ///< Remote accesses that only its process can carry out.

    endpoint::Endpoint endpoint;
    Pairing pairing;

    RankTotals totals;
    PresentCall call;
    AwayData away;

    // Seldom needed.
    alignas(64) std::atomic<std::uint32_t> bell{0};  ///< Futex: counts arrivals in real time.
    SentMessages* sent = nullptr;                    ///< Only if wake frames or profiles need it.
    std::uint64_t eager_limit_bytes = 0;             ///< Larger messages go by rendezvous.
    StartMember* start_member = nullptr;  ///< Of the group with which it started last, or will.
    Instant collective_begin{};           ///< Of the last call that may be scheduled.
    SeldomTotals seldom;
    CpuTimes cpu;
    ProcessFacts facts;
    OutsideRequests outside;
    MemoryRegions regions;
    RecordedTotals recorded;

    GuardLine guard;
};

}  // namespace kumi::conductor
