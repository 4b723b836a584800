#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/memory/memory_budget.hpp"
#include "base/time/time.hpp"
#include "conductor/records/recorder.hpp"
#include "endpoint/parameters.hpp"
#include "endpoint/start_account.hpp"
#include "endpoint/synchroniser.hpp"

namespace kumi::schedule {

/// The software of every rank and where it runs; means the same as for a run of a program.
struct ReplayParameters {
    std::uint32_t ranks_per_host = 1;  ///< A host has room for no more.
    endpoint::Parameters endpoint{};   ///< Eager sends are complete at once.
    /// Of each packet of a synchronisation; the network interface sends it.
    std::uint64_t start_bytes = 0;
    endpoint::StartRule start_rule = endpoint::StartRule::kCorrected;
    Duration start_jitter{};  ///< Largest error of a rank's common start.
    /// Sides of the grid of hosts along which ranks synchronise; empty: all at once.
    std::vector<std::uint32_t> start_sides{};
    /// Of the draws of errors in messages and of common starts.
    std::uint64_t seed = 0;
    /// The host of each rank; empty: rank r is on host r / ranks_per_host.
    std::vector<std::uint32_t> rank_hosts{};
    /// Larger states of operations lie in a temporary file.
    std::uint64_t most_held_bytes = memory_budget_bytes() / 8;
    /// Nothing that comes later happens. An operation that has begun counts whole.
    Instant time_limit = kNever;
    /// Otherwise a message that is larger than its receive ends the replay.
    bool allows_truncation = false;
};

/// What a replay records in addition to the totals.
struct ReplayRecording {
    /// With kFull, `messages.bin` and `states.bin` as a run writes them
    /// (conductor/records/records.hpp).
    conductor::Detail level = conductor::Detail::kSummary;
    std::string directory{};  ///< Must exist. Empty: no files are written.
};

/// What one rank has done so far. Its states are those of its cpu 0; it waits whenever that has
/// nothing to do.
struct ReplayedRank {
    std::uint32_t host = 0;
    Duration compute{};
    Duration communication{};  ///< Overheads and matching.
    Duration wait{};           ///< The rest of the time until `finish`.
    /// The end of what it did last, on any cpu, or if something is left, of its waiting so far.
    Instant finish{};
    std::uint64_t messages_sent = 0, bytes_sent = 0;
    std::uint64_t messages_received = 0, bytes_received = 0;  ///< Arrived.
};

/// Replays of more ranks keep no account of matching, which takes half a kilobyte a rank, or one
/// and a half with the depths over time.
inline constexpr std::uint32_t kMostAccounts = 1U << 16;

/// Common starts of all ranks, and waits until times after them.
using ReplayedStarts = endpoint::StartTotals;

/// Where a replay stands. Messages and bytes are those of the schedule's sends that have left;
/// control messages are requests, answers and acknowledgements of the transport.
struct ReplayProgress {
    Instant virtual_time{};  ///< Never goes back; no event before it is left.
    std::uint64_t operations_done = 0, operations = 0;
    std::uint64_t events = 0;
    std::uint64_t messages = 0, bytes = 0;
    std::uint64_t control_messages = 0, control_bytes = 0;
    std::uint32_t messages_in_flight = 0;
};

/// A message from one rank to another whose hosts are not connected.
struct UnconnectedRanks {
    std::uint32_t from = 0, to = 0;
};

/// A message that is larger than the receive that gets it. Operations are numbered in their ranks.
struct TruncatedMessage {
    std::uint32_t source = 0, send = 0;
    std::uint32_t target = 0, receive = 0;
    std::uint64_t size_bytes = 0, room_bytes = 0;
};

/// A message that has arrived, and that its target never receives.
struct UnreceivedMessage {
    std::uint32_t source = 0, send = 0;
    std::uint32_t target = 0;
    std::uint32_t tag = 0;
    std::uint64_t size_bytes = 0;
};

/// A rank that has not done everything, and what it waits for, in words.
struct StuckRank {
    std::uint32_t rank = 0;
    std::string waits_for;
};

}  // namespace kumi::schedule
