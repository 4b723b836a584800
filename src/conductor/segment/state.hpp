#pragma once

#include <atomic>
#include <cstdint>

#include "base/assertions.hpp"
#include "base/call_name.hpp"
#include "base/memory/arena.hpp"
#include "base/memory/guard_line.hpp"
#include "base/time/real_clock.hpp"
#include "base/time/time.hpp"
#include "conductor/collectives/collectives.hpp"
#include "conductor/messages/bit_errors.hpp"
#include "conductor/messages/message.hpp"
#include "conductor/messages/message_list.hpp"
#include "conductor/rank_data/compute_progress.hpp"
#include "conductor/rank_data/cores.hpp"
#include "conductor/rank_data/guarded_instant.hpp"
#include "conductor/rank_data/memory_regions.hpp"
#include "conductor/rank_data/pairing_queues.hpp"
#include "conductor/rank_data/run_queue.hpp"
#include "conductor/rank_data/sent_messages.hpp"
#include "conductor/rank_data/stream.hpp"
#include "conductor/records/recorder.hpp"
#include "conductor/system/futex_mutex.hpp"
#include "endpoint/endpoint.hpp"
#include "endpoint/parameters.hpp"
#include "endpoint/service/account.hpp"
#include "network/network.hpp"

namespace kumi {

/// Where the time between communication calls comes from.
enum class ComputeMode : std::uint8_t {
    kNone = 0,      ///< Only explicit calls (kumi_compute_*) cost time.
    kMeasured = 1,  ///< CPU time of the rank x host speed / node speed.
    kCounted = 2,   ///< Work that the program counts itself, as its compiler has made it do.
};

/// The run's parameters, fixed before the first rank starts. Times in ps, sizes in bytes.
struct RunConfiguration {
    endpoint::Parameters endpoint;
    std::uint32_t ranks = 0;
    std::uint32_t ranks_per_host = 1;
    std::uint32_t cores_per_host = 1;  ///< Of which each rank's threads have an equal share.
    Duration poll_cost{};              ///< Per polling call.
    Duration clock_cost{};             ///< Per reading of the clock.
    Duration wake_cost{};              ///< Of ringing the doorbell for wake frames.
    /// 0: unknown; then nothing may be counted.
    std::uint64_t node_flops = 1;
    std::int64_t host_speed_num = 1;  ///< Measured CPU time x num / den is virtual time.
    std::int64_t host_speed_den = 1;
    Instant time_limit = kEndOfTime;
    /// A process that is expected to compute for longer than that in real time lets another one run
    /// in parallel. A context switch on another core and back takes some 20 us.
    std::int64_t long_compute_ns = 50'000;
    ComputeMode compute_mode = ComputeMode::kNone;
    RecordLevel record_level = RecordLevel::kFull;
    bool records_operations = false;   ///< Whether what ranks do to the wire is put on record.
    bool records_calls = false;        ///< Whether what they ask for is.
    bool profiles_calls = false;       ///< Whether ranks want to know what each call has sent.
    bool classifies_messages = false;  ///< Whether messages are to say what they consist of.
    /// Whether they are to say in which communicator they are sent.
    bool classifies_communicators = false;
    bool runs_ahead = true;  ///< Whether processes may; see pairing.hpp.
};

/// How an MPI call may wait, which decides what an empty poll inside it means.
enum class CallClass : std::uint8_t {
    kLocal = 0,     ///< Never waits.
    kBlocking = 1,  ///< Returns only when something has happened, or at once.
    kPolling = 2,   ///< Looks and returns (MPI_Test, MPI_Iprobe).
    kWindow = 3,    ///< As kBlocking, but the library may poll often before it makes progress.
    kProbe = 4,     ///< MPI_Probe, MPI_Mprobe: blocking, but asks again and again.
    /// As kBlocking, and the library goes on with what it starts in every call that makes progress.
    kBackground = 5,
    kSynchronous = 6,  ///< As kBlocking, and the receiver's library may answer what it sends.
};

enum class Phase : std::uint32_t {
    kStarting = 0,  ///< Real time: messages are delivered at once.
    kVirtual = 1,
    kEnding = 2,  ///< Real time again, after the last rank called MPI_Finalize.
};

enum class RankStatus : std::uint32_t {
    kAbsent = 0,
    kStarting = 1,
    kJoining = 2,
    kRunnable = 3,  ///< Running, or in the run queue.
    kBlocked = 4,
    kFinishing = 5,
    kLeft = 6,
};

/// What a rank's process does. It is synchronised with its rank if the rank's stream is empty, else
/// it runs ahead of the rank's clock.
enum class ProcessState : std::uint8_t {
    kRuns = 0,
    kReady = 1,           ///< Could run: all that it awaits is certain.
    kAwaitsRequests = 2,  ///< Goes on when its rank has them, or when all of them are certain.
    kAwaitsTime = 3,      ///< Goes on when its stream has been carried out.
};

/// What a process is told that waits for the baton.
enum BatonWord : std::uint32_t {
    kNoBaton = 0,
    kHasBaton = 1,
    kWatchCore = 2,  ///< It is to watch a free core: see baton.cpp.
};

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
    ProcessState process = ProcessState::kRuns;
    std::uint32_t host = 0;
    Inbox inbox;
    std::uint32_t due = 0;         ///< Messages and answers on their way to this rank.
    std::uint32_t call_count = 0;  ///< Outermost MPI calls so far; begins again after 2^32.
    std::uint64_t next_sequence = 0;

    // What its process has asked for; and what is written whenever it is handed the baton, or its
    // clock moves into another state.
    alignas(64) Stream stream;
    std::uint64_t ran_last = 0;  ///< The number of the handover by which it did.
    StateRecord last_stretch{};  ///< Not written yet; ends at 0 if there is none.
    /// Of what its process awaits, so many are not certain; 0 if that does not matter.
    std::uint32_t uncertain = 0;
    bool awaits_one = false;  ///< It awaits no more than one request.
    bool is_away = false;     ///< Its process computes without the baton; see baton.hpp.
    /// How often its process is inside of a port. If it is, no signal handler may be.
    std::uint8_t visits = 0;
    bool computes_long = false;     ///< Beside others, when it goes on; as far as is known.
    bool is_away_for_long = false;  ///< The last time that it went away, as far as was known.
    std::uint32_t core = 0;         ///< On which its process is, or was last.
    /// The MPI library may want to answer something that is complete and was not taken yet.
    bool may_answer = false;
    /// Its MPI library's own messages are not shown to it, but held back; see running_ahead.hpp.
    bool holds_internal = false;
    bool sees_internal = false;  ///< They never are any more.
    /// The held ones: complete requests.
    std::uint32_t first_held = endpoint::kNone, last_held = endpoint::kNone;
    std::uint32_t receives = 0;           ///< Posted so far.
    std::uint32_t receives_finished = 0;  ///< In the present MPI call.
    Inbox to_serve;                       ///< Remote accesses that only its process can carry out.

    endpoint::Endpoint endpoint;
    Pairing pairing;

    alignas(64) Duration state_total[3] = {};
    std::uint64_t messages_sent = 0, bytes_sent = 0;
    std::uint64_t messages_received = 0, bytes_received = 0;
    std::uint64_t handovers = 0;
    std::uint64_t next_answer = 0;

    alignas(64) CallName call;        ///< The MPI call it is in, for messages to the user.
    std::uint32_t waiting_count = 0;  ///< Receives that are not complete.
    std::uint32_t waiting_for = endpoint::kNone;  ///< The oldest of these.
    Instant call_begin{};

    // For when its process is away.
    alignas(64) ComputeProgress progress;
    Instant reached{};            ///< So far it is at least, as others have found.
    std::uint64_t looked_at = 0;  ///< The last choice for which they looked.
    /// The free core that its process watches while it waits.
    std::uint32_t watched_core = 0;

    // Seldom needed.
    alignas(64) std::atomic<std::uint32_t> bell{0};  ///< Futex: counts arrivals in real time.
    SentMessages* sent = nullptr;                    ///< Only if wake frames or profiles need it.
    std::uint64_t wake_frames = 0;                   ///< That the rank has asked for.
    std::uint64_t eager_limit_bytes = 0;             ///< Larger messages go by rendezvous.
    std::uint64_t clock_readings = 0;                ///< Of the program.
    Duration clock_time{};                ///< Of these outside of calls: in RankState::kCompute.
    StartMember* start_member = nullptr;  ///< Of the group with which it started last, or will.
    Instant collective_begin{};           ///< Of the last call that may be scheduled.
    std::uint64_t common_starts = 0;      ///< Number of those that the rank has left.
    AssertionTally asserted[kAssertions] = {};
    Duration slept{};  ///< Of the time in RankState::kWait.
    // CPU time of its process, for the launcher only: until it joined, until it finished (0: it has
    // not), and what was measured as the program's computing.
    std::int64_t joined_cpu_ns = 0, finished_cpu_ns = 0, measured_cpu_ns = 0;
    std::atomic<std::uint32_t> real_clocks{0};  ///< Which the program was seen to read: RealClock.
    std::atomic<std::int32_t> pid{0};
    /// It is never ahead again: other threads of the process look at its clock, or its MPI library
    /// goes on with something in the background, which depends on how often that makes progress.
    std::atomic<bool> stays_in_time{false};
    bool uses_windows = false;  ///< Has called a window function: others may look at its memory.
    bool polls_longer = false;  ///< Its MPI library makes progress while it polls.
    std::atomic<std::uint32_t> outside{0};            ///< Its part of ConductorState::outside.
    std::atomic<std::uint32_t> completed_outside{0};  ///< Of these, since it looked for them last.
    MemoryRegions regions;
    /// Of those in the inbox, from the first: messages from before virtual time. Only counted if
    /// the run's schedule is recorded, in which they have no place.
    std::uint32_t messages_before_start = 0;
    // Only counted if the run's calls are recorded.
    std::uint32_t logged_requests = 0;  ///< Number of sends and receives on record.
    Duration computed_in_calls{};       ///< By the program, in callbacks of its MPI library.

    GuardLine guard;
};

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

/// All of a run: what the launcher makes at the start of the segment and every rank maps.
struct ConductorState {
    static constexpr std::uint64_t kMagic = 0x4B756D6968696D6FULL;

    ConductorState(Arena* the_arena, const RunConfiguration& the_configuration);

    std::uint64_t magic = kMagic;
    std::uint64_t layout = 0;  ///< Set when the segment is published: see segment_layout.hpp.
    GuardLine guard_in_front;
    RunConfiguration configuration;
    Arena* arena;
    Network* network = nullptr;
    BitErrors* bit_errors = nullptr;  ///< If the user allows any.
    /// Of each rank; nullptr if the platform has no service.
    endpoint::service::Account* services = nullptr;
    Collectives* collectives = nullptr;  ///< If they may be scheduled.
    Duration lookahead{};  ///< No message reaches another rank sooner after it was sent.
    RankSlot* ranks;
    Pool<Message> messages;
    endpoint::Requests requests;
    RunQueue run_queue;
    ReadyRanks ready;            ///< They can run ahead: none is in the run queue.
    bool stays_in_time = false;  ///< No rank runs ahead any more.
    /// No process goes away any more: others may look at its memory.
    bool keeps_baton = false;
    std::uint32_t away = 0;     ///< Processes that are.
    std::uint64_t choices = 0;  ///< Of who goes on next.
    /// The last choice found nobody before one that is away for long has got further.
    bool is_worth_watching = false;
    FutexMutex baton;  ///< Held by whoever has it.
    Cores cores;
    /// Requests of ranks that something outside of MPI will complete; see outside.hpp.
    std::atomic<std::uint32_t> outside{0};
    std::uint64_t deferred = 0;  ///< Sends and waits in streams.
    Recorder recorder;
    Verdict verdict;
    PendingAbort pending_abort;
    RefusedNames refused;
    RefusedNames unknown_hints;
    RefusedNames broken_by[kAssertions];  ///< MPI functions that broke an assertion.

    std::atomic<Phase> phase{Phase::kStarting};
    FutexMutex real_time_lock;  ///< In the phases in which there is no baton.
    std::atomic<std::uint32_t> attached{0};
    std::atomic<std::uint32_t> joined{0};
    std::atomic<std::uint32_t> finishing{0};
    std::atomic<std::int32_t> holder{-1};
    std::atomic<std::uint64_t> handovers{0};
    std::atomic<bool> can_reach_memory{true};  ///< process_vm_readv/writev work between ranks.
    std::int32_t launcher_pid = 0;

    std::uint64_t messages_total = 0, bytes_total = 0;
    std::uint64_t control_messages = 0, control_bytes = 0;
    std::uint64_t posts = 0;                             ///< Everything ever posted.
    std::uint64_t calls = 0;                             ///< MPI calls that any rank has begun.
    std::uint64_t steps_at_recheck = ~std::uint64_t{0};  ///< Posts and calls at the last one.
    std::uint64_t rechecks = 0;               ///< So many in a row found the same number of them.
    std::int64_t began_ns = 0, ended_ns = 0;  ///< Real time of virtual time's begin and end, or 0.
    std::int64_t outside_looked_ns = 0;  ///< Real time when ranks last looked for such requests.
    bool only_looks = false;             ///< Ranks do nothing but look for such requests.
    Instant end{};                       ///< The largest clock, once all ranks have finished.
    GuardLine guard_behind;

    RankSlot& slot(std::uint32_t rank) { return ranks[rank]; }
    std::uint32_t rank_count() const { return configuration.ranks; }
    /// Whether the rank's process must be synchronised with it.
    bool keeps_in_time(std::uint32_t rank) const {
        return stays_in_time || ranks[rank].stays_in_time.load(std::memory_order_relaxed);
    }

    /// Ends the run: keeps the first verdict only. The launcher sees it and stops every rank.
    void condemn(VerdictKind kind, std::uint32_t rank, std::int32_t code, const char* text);
};

}  // namespace kumi
