#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/memory/large_memory.hpp"
#include "engine/event_queue.hpp"
#include "matching/account.hpp"
#include "matching/depth_line.hpp"
#include "matching/search.hpp"
#include "network/network.hpp"
#include "schedule/replay/data/ready_queue.hpp"
#include "schedule/replay/data/replay_entries.hpp"
#include "schedule/replay/data/replay_memory.hpp"
#include "schedule/replay/data/replay_types.hpp"
#include "schedule/replay/features/replay_errors.hpp"
#include "schedule/replay/features/replay_interfaces.hpp"
#include "schedule/replay/features/replay_records.hpp"
#include "schedule/replay/features/replay_services.hpp"
#include "schedule/replay/features/replay_starts.hpp"
#include "schedule/schedule.hpp"

namespace kumi::schedule {

/// Executes a schedule over a network in virtual time, as ranks of a program would over the same
/// network: small messages are eager; of larger ones the sender sends a request, the receiver asks
/// for the data when it has a receive for them, gets them, and says so. Messages match receives in
/// the order of arrival, and receives match messages in the order of posting.
///
/// An operation starts when all it waits for is over and its cpu is free. A rank that uses cpu 0
/// alone is a program without threads: it does what it can, one thing after the other, and looks at
/// what has arrived when it has nothing else to do; then it takes in all that had arrived by that
/// time before it goes on. Where its interface matches, that is what it has matched by that time,
/// and what the rank does waits for what arrives before. Ranks run in the order of their clocks, as
/// those of a run do, so that the schedule of a program that never polls gives the same instants
/// and the same event hash as the program itself. A rank with several cpus takes messages in as
/// they arrive.
///
/// All nics of a rank are its host's interface. Use:
///
///     Replay replay(schedule, parameters, fabric, routing, recording);
///     while (replay.advance(1 << 16)) show(replay.progress());
///     replay.close_records();
///     if (replay.unconnected()) complain(*replay.unconnected());
///     else if (replay.truncated()) complain(*replay.truncated());
///     else if (!replay.is_complete()) complain(replay.stuck_ranks(10));
///
/// After an exception nothing but the destructor may be called.
class Replay {
   public:
    /// `schedule`, and with more hosts than kHostsWithTable also `routing`, must outlive the
    /// replay. Throws std::invalid_argument if the ranks do not fit on the fabric's hosts, if a
    /// rank's host is not there, or if the network cannot be simulated. TemporaryFileError if the
    /// states of operations need a temporary file and there is no space for it.
    Replay(const Schedule& schedule, const ReplayParameters& parameters,
           const network::FabricDescription& fabric, const network::Routing& routing,
           const ReplayRecording& recording = {});

    /// A table of the paths between more hosts would not stay in the processor's caches: there
    /// the path of each message is asked for when it leaves. Results are the same.
    static constexpr std::uint32_t kHostsWithTable = 256;

    /// Executes up to `events` events of the network; false if nothing more can happen within the
    /// limit of time, or a message has no path or no room: there a replay ends. The first call also
    /// starts all that waits for nothing. Throws std::system_error if records cannot be written,
    /// std::overflow_error if virtual time comes to its end.
    bool advance(std::uint64_t events);
    /// Writes what is still buffered; to be called once, at the end. Throws std::system_error.
    void close_records();

    /// O(1).
    ReplayProgress progress() const;
    /// Whether every operation has been executed. If not, and nothing more can happen, and time is
    /// not over, ranks wait for what never comes: a deadlock.
    bool is_complete() const { return x_done == x_schedule.operations(); }
    /// Whether something lies behind the limit of time: the next thing that would happen, or the
    /// end of an operation.
    bool is_over_time() const {
        const Instant limit = x_parameters.time_limit;
        return x_was_cut_off || x_end > limit || (next_time() > limit && next_time() != kNever);
    }
    /// The ranks of the message that ended the replay because their hosts have no path.
    const std::optional<UnconnectedRanks>& unconnected() const { return x_unconnected; }
    /// The first `most` ranks that have something left to do. Meant for the end.
    std::vector<StuckRank> stuck_ranks(std::size_t most) const;
    /// What a rank waits for, in words; empty if it has done everything.
    std::string describe_wait(std::uint32_t rank) const;
    std::uint32_t ranks() const { return x_schedule.ranks(); }
    ReplayedRank rank(std::uint32_t rank) const;
    /// The end of the last operation so far; as long as some are left, not before the last event.
    /// Not behind the limit of time.
    Instant virtual_time() const {
        const Instant last = is_complete() ? x_end : later(x_end, x_network->now());
        return earlier(last, x_parameters.time_limit);
    }
    std::uint64_t operations_done() const { return x_done; }
    /// The message that ended the replay because it is too large for its receive. Recorded messages
    /// never do: what the recorded program received is what was sent.
    const std::optional<TruncatedMessage>& truncated() const { return x_truncated; }
    /// How many were larger than their receives, if that is allowed.
    std::uint64_t truncated_messages() const { return x_truncated_count; }
    /// Messages that arrived and were not received, in the order of sources and their sends. Not
    /// those of recorded runs: what these leave behind, the MPI library takes in MPI_Finalize,
    /// which is no part of them. To be asked when nothing more can happen. O(messages at one time).
    std::vector<UnreceivedMessage> unreceived_messages() const;
    std::uint64_t control_messages() const { return x_control_messages; }
    /// What matching did at each rank; empty if there are more than kMostAccounts.
    std::span<const matching::Account> matching_accounts() const { return x_accounts; }
    /// The same of the depths of queues; empty, too, if nothing is put on record.
    std::span<const matching::DepthLine> queue_depths() const { return x_queue_depths; }
    /// What came of common starts; nullptr if the schedule has none.
    const ReplayedStarts* starts() const {
        return x_starts == nullptr ? nullptr : &x_starts->totals();
    }
    /// By what ranks sent; nullptr if the platform has no service.
    const ReplayServices* services() const { return x_services.get(); }
    /// What came of messages that may arrive with errors; nullptr if the schedule is of no run that
    /// allowed any.
    const conductor::ErrorCounters* errors() const {
        return x_errors == nullptr ? nullptr : &x_errors->counters();
    }
    /// Totals of links, their use over time, the event hash. Links are those of the fabric.
    const network::Network& network() const { return *x_network; }

    /// For the network.
    void arrived(Instant when, std::uint64_t cookie);
    void expect(std::uint64_t cookie, int steps_before) const;

   private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    /// On its way from a send to a receive; the index is the network's cookie. One cache line.
    struct alignas(64) Transfer {
        enum class Stage : std::uint8_t {
            kEager,
            kRequest,
            kFetch,
            kData,
            kFinished,
            kStart,
            kClosing
        };

        /// Of a packet of a synchronisation: picoseconds from its arrival to the start.
        std::uint64_t size_bytes = 0;
        Instant sent{};     ///< Of what is on its way now: the stage says what that is.
        Instant arrived{};  ///< The same.
        std::uint64_t sequence = 0;
        std::uint32_t source = 0, target = 0, tag = 0;
        std::uint32_t send = 0, receive = 0;  ///< Operations, numbered in their ranks.
        std::uint32_t next = kNone;           ///< In an inbox.
        Stage stage = Stage::kEager;
        std::uint8_t traits = 0;  ///< Of the send.
        bool by_datagrams = false;
        std::uint32_t ordinal = 0;  ///< Of an approximate message.

        bool has(std::uint8_t trait) const { return (traits & trait) != 0; }
        bool carries_data() const {
            return (stage == Stage::kEager || stage == Stage::kData) && !has(traits::kControl);
        }
        /// Sent because of a request or a common start, without the source's CPU.
        bool is_by_interface() const {
            return stage == Stage::kData || stage == Stage::kStart || has(traits::kInterface);
        }
    };
    /// What an operation waits for, and where it stands. Four to a cache line.
    struct OperationState {
        static constexpr std::uint32_t kStarted = 0xFFFFFFFF;
        static constexpr std::uint32_t kDone = 0xFFFFFFFE;

        Instant ready{};              ///< The last end or start so far of what it waits for.
        std::uint32_t waits_for = 0;  ///< Number of operations, or kStarted, or kDone.
        /// Of what a resumption will start, the next of the same resumption.
        std::uint32_t next = kNone;
    };
    /// Two cache lines: what every operation reads, and what is counted.
    struct alignas(128) Rank {
        Instant clock{};  ///< Cpu 0 is free.
        const Operation* operations = nullptr;
        const Successor* successors = nullptr;
        OperationState* states = nullptr;
        std::uint64_t next_sequence = 0;
        std::uint32_t count = 0, successor_count = 0;
        std::uint32_t inbox_first = kNone, inbox_last = kNone;
        std::uint32_t unexpected = 0;
        bool uses_one_cpu = true;
        bool has_waits_for_starts = false;  ///< Operations that wait for the start of another one.
        std::uint32_t done = 0;
        std::uint32_t next_answer = 0;
        Instant finish{};
        Duration compute{}, communication{};
        std::uint64_t messages_sent = 0, bytes_sent = 0;
        std::uint64_t messages_received = 0, bytes_received = 0;
    };
    static_assert(sizeof(Rank) == 128);
    /// A rank looks into its inbox at a time, or starts operations that were ready too early: an
    /// event of its own queue, ordered by time, rank and first operation (kNone: the inbox).
    static engine::Event resumption_event(Instant when, std::uint32_t rank,
                                          std::uint32_t operation) {
        return {{when, rank, operation}, 0};
    }

    /// The time of the next event or resumption; kNever if there is none.
    Instant next_time() const { return std::min(x_next_resumption, x_network->next_event_time()); }
    /// The end of the waits of ranks that have something left to do: after a deadlock, the time of
    /// the last thing that happened.
    Instant waited_until() const {
        return next_time() == kNever ? virtual_time() : x_network->now();
    }
    void place_ranks(const network::FabricDescription& fabric);
    void prepare();
    /// The service is an oracle: it knows the whole schedule.
    void connect_ahead();
    void prepare_rank(std::uint32_t rank);
    void start_all();
    bool execute_events(std::uint64_t events);
    void push_resumption(Instant when, std::uint32_t rank, std::uint32_t operation) {
        x_resumptions.push(resumption_event(when, rank, operation));
        if (when < x_next_resumption) x_next_resumption = when;
    }
    engine::Event take_resumption();
    void fetch_resumptions() const;
    void resume(const engine::Event& resumption);
    void run_chain(std::uint32_t rank, ReadyOperation next);
    static constexpr Instant kAtOnce{};
    Instant turn_of(std::uint32_t rank, const ReadyOperation& next);
    /// Whether it comes in the order of time with what arrives at an interface that matches.
    bool is_for_interface(const Operation& what) const {
        return x_interfaces != nullptr && !what.has(traits::kBare);
    }
    void run_ready(std::uint32_t rank);
    void execute(std::uint32_t rank, const ReadyOperation& ready);
    void take_hint(std::uint32_t rank, endpoint::service::Hint hint, Instant ready);
    std::uint64_t eager_limit(std::uint32_t rank) const {
        return x_eager_limits.empty() ? x_parameters.endpoint.eager_limit_bytes
                                      : x_eager_limits[rank];
    }
    void send(std::uint32_t rank, std::uint32_t index, Instant ready);
    void post(std::uint32_t rank, std::uint32_t index, Instant ready);
    void synchronise(std::uint32_t rank, std::uint32_t index, Instant ready);
    void enter_round(std::uint32_t rank, Instant when);
    void leave_rounds(std::uint32_t rank);
    void start_packet_arrived(std::uint32_t transfer);
    void wait_after_start(std::uint32_t rank, std::uint32_t index, Instant ready);
    void handle(std::uint32_t transfer);
    /// Whether it takes a connection or datagrams to another host.
    bool needs_service(const Transfer& transfer) const {
        return x_services != nullptr && !transfer.has(traits::kBare) &&
               host_of(transfer.source) != host_of(transfer.target);
    }
    Instant use_service(std::uint32_t transfer, const Operation& what, Instant when);
    void close_for(std::uint32_t rank, std::uint32_t target, Instant when);
    void hear_closing(std::uint32_t transfer);
    Duration collect_datagrams(const Transfer& transfer);
    void envelope_arrived(std::uint32_t transfer);
    void data_arrived(std::uint32_t transfer);
    bool has_whole(std::uint32_t transfer, std::uint32_t receive, Instant when);
    void match(std::uint32_t transfer, std::uint32_t receive, Instant clock);
    void check_room(const Transfer& transfer, std::uint32_t receive);
    // Where interfaces match: replay_at_interface.cpp.
    void arrived_at_interface(std::uint32_t transfer);
    void post_to_interface(std::uint32_t rank, std::uint32_t index, Instant when);
    void match_by_interface(std::uint32_t transfer, std::uint32_t receive, Instant when);
    ReplayInterfaces::Ended received(std::uint32_t transfer, Instant when) const;
    void look_in_time(std::uint32_t rank);
    void look_at_interface(std::uint32_t rank, Instant now);
    void take_delivery(std::uint32_t rank, const ReplayInterfaces::Ended& ended);
    void launch(std::uint32_t transfer, Instant when, bool from_source, std::uint64_t size_bytes);
    std::uint64_t bytes_on_links(network::HostId from, network::HostId to,
                                 std::uint64_t size_bytes) const {
        return x_errors == nullptr ? size_bytes
                                   : x_errors->bytes_on_links(*x_network, from, to, size_bytes);
    }
    ApproximateMessage approximate(const Transfer& transfer) const;
    void allow_errors(Transfer& transfer, const Operation& what);
    std::uint64_t bytes_with_errors(const Transfer& transfer, network::HostId from,
                                    network::HostId to, std::uint64_t size_bytes) const;
    void receive_errors(const Transfer& transfer);
    void count_arrival(const Transfer& transfer);
    void inform(std::uint32_t rank, std::uint32_t operation, Instant when, bool on_start);
    void finish(std::uint32_t rank, std::uint32_t operation, Instant when);
    /// Takes the cpu of `what`, if it has one, for a time; returns when that begins.
    Instant occupy(std::uint32_t rank, const Operation& what, Instant ready, Duration span,
                   conductor::RankState state);
    Instant occupy(std::uint32_t rank, std::uint8_t cpu, Instant ready, Duration span,
                   conductor::RankState state);

    matching::Search take_posted(const Transfer& transfer);
    matching::Search take_unexpected(std::uint32_t rank, const Operation& receive);
    /// One of the rank's queues has become longer or shorter.
    void note_depths(std::uint32_t rank, Instant when) {
        if (!x_queue_depths.empty())
            x_queue_depths[rank].note(when, {x_posted[rank].size(), x_ranks[rank].unexpected});
    }
    void append_posted(std::uint32_t rank, std::uint32_t index);
    void append_unexpected(std::uint32_t transfer);

    Instant& cpu_free(std::uint32_t rank, std::uint8_t cpu) {
        if (cpu == 0) return x_ranks[rank].clock;
        return x_other_cpus[std::uint64_t{rank} << 8 | cpu];
    }
    network::HostId host_of(std::uint32_t rank) const {
        return x_hosts.empty() ? rank : x_hosts[rank];
    }
    std::uint32_t new_transfer();

    const Schedule& x_schedule;
    ReplayParameters x_parameters;
    ReplayMemory x_memory;
    std::vector<network::HostId> x_hosts;          ///< Of each rank; empty: its number.
    std::unique_ptr<network::PathFinder> x_paths;  ///< In place of a table.
    network::Network* x_network = nullptr;
    std::unique_ptr<ReplayRecords> x_records;
    std::unique_ptr<ReplayStarts> x_starts;          ///< If the schedule has common starts.
    std::vector<std::uint64_t> x_eager_limits;       ///< Of ranks, if hints change any.
    std::unique_ptr<ReplayServices> x_services;      ///< If the platform has a service.
    std::unique_ptr<ReplayErrors> x_errors;          ///< If messages may arrive with errors.
    std::unique_ptr<ReplayInterfaces> x_interfaces;  ///< If they match messages.
    LargeVector<Rank> x_ranks;
    SpillingArray<OperationState> x_states;  ///< Of all operations.
    std::unordered_map<std::uint64_t, Instant> x_other_cpus;
    ReadyQueue x_ready;  ///< Of the rank that runs.
    engine::EventQueue x_resumptions;
    Instant x_next_resumption = kNever;  ///< Of `x_resumptions`.
    Instant x_resumed{};                 ///< The time of the last one.
    LargeVector<Transfer> x_transfers;
    std::vector<std::uint32_t> x_free_transfers;
    LargeVector<ReplayPostedQueue> x_posted;          ///< Of each rank.
    LargeVector<ReplayUnexpectedQueue> x_unexpected;  ///< The same.
    std::vector<matching::Account> x_accounts;        ///< The same; empty if there are too many.
    std::vector<matching::DepthLine> x_queue_depths;  ///< The same; empty without records.
    bool x_is_started = false;
    bool x_was_cut_off = false;  ///< Operations were not started because of the limit of time.
    std::optional<UnconnectedRanks> x_unconnected;
    std::optional<TruncatedMessage> x_truncated;
    std::uint64_t x_truncated_count = 0;
    Instant x_end{};
    std::uint64_t x_done = 0;
    std::uint64_t x_messages = 0, x_bytes = 0;
    std::uint64_t x_control_messages = 0, x_control_bytes = 0;
};

}  // namespace kumi::schedule
