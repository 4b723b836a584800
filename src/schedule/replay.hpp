#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "network/network.hpp"
#include "schedule/match_table.hpp"
#include "schedule/replay_memory.hpp"
#include "schedule/schedule.hpp"

namespace kumi {

/// The software of every rank; means the same as for a run of a program.
struct ReplayParameters {
    std::uint32_t ranks_per_host = 1;  ///< Rank r is on host r / ranks_per_host.
    std::uint64_t eager_limit_bytes = 0;
    std::uint64_t control_bytes = 0;
    Duration send_overhead{};
    Duration receive_overhead{};
    Duration match_cost{};  ///< Per entry searched.
};

/// What one rank has done so far.
struct ReplayedRank {
    Instant finish{};  ///< The end of what it did last.
    std::uint64_t messages_sent = 0, bytes_sent = 0;
    std::uint64_t messages_received = 0, bytes_received = 0;
};

/// Executes a schedule over a network in virtual time, as ranks of a program would over the same
/// network: small messages are eager; of larger ones the sender sends a request, the receiver asks
/// for the data when it has a receive for them, gets them, and says so. Messages match receives in
/// the order of arrival, and receives match messages in the order of posting.
///
/// An operation starts when all it waits for is over and its cpu is free. What can start at once
/// does so before anything that arrives is looked at, in the order in which it became ready: a rank
/// looks at arrivals when it has nothing else to do. All nics of a rank are its host's interface.
class Replay {
   public:
    /// `schedule` must outlive the replay. Throws std::invalid_argument if the ranks do not fit on
    /// the fabric's hosts, or if the network cannot be simulated.
    Replay(const Schedule& schedule, const ReplayParameters& parameters,
           const FabricDescription& fabric, const Routing& routing);

    /// Executes up to `events` events of the network; false if nothing more can happen. The first
    /// call also starts all that waits for nothing.
    bool advance(std::uint64_t events);

    /// Whether every operation has been executed. If not, and nothing more can happen, ranks wait
    /// for what never comes.
    bool is_complete() const { return x_done == x_schedule.operations(); }
    std::uint32_t operations_done() const { return x_done; }
    /// The end of the last operation so far.
    Instant virtual_time() const;
    /// Messages that arrived and were never received, so far.
    std::uint64_t unreceived_messages() const { return x_unexpected_count; }
    const ReplayedRank& rank(std::uint32_t rank) const { return x_ranks[rank].replayed; }
    /// What a rank waits for, in words; empty if it has done everything.
    std::string describe_wait(std::uint32_t rank) const;
    std::uint64_t control_messages() const { return x_control_messages; }
    const Network& network() const { return *x_network; }

    /// For the network.
    void departed(Instant, std::uint64_t) {}
    void arrived(Instant when, std::uint64_t cookie);

   private:
    /// On its way from a send to a receive; the index is the network's cookie.
    struct Transfer {
        enum class Stage : std::uint8_t { kEager, kRequest, kFetch, kData, kFinished };

        std::uint64_t size_bytes = 0;
        std::uint32_t source = 0, target = 0, tag = 0;
        std::uint32_t send = 0, receive = 0;  ///< Operations, numbered in their ranks.
        std::uint32_t next = MatchTable::kNone;
        Stage stage = Stage::kEager;

        MatchKey key() const { return {target, source, tag}; }
    };
    struct Rank {
        ReplayedRank replayed{};
        Instant cpu_free{};  ///< Of cpu 0.
        std::uint64_t next_sequence = 0;
        std::uint32_t next_post = 0;
        std::uint32_t posted_wildcards = 0;
        std::uint32_t unexpected = 0;
    };
    struct Ready {
        Instant when;
        std::uint32_t operation;
        auto operator<=>(const Ready&) const = default;
    };
    enum class Status : std::uint8_t { kWaits, kStarted, kDone };

    void prepare();
    void start_all();
    void run_ready(std::uint32_t rank);
    void execute(std::uint32_t rank, std::uint32_t operation, Instant ready);
    void send(std::uint32_t rank, std::uint32_t index, Instant ready);
    void post(std::uint32_t rank, std::uint32_t index, Instant ready);
    void envelope_arrived(std::uint32_t transfer, Instant when);
    void data_arrived(std::uint32_t transfer, Instant when);
    void match(std::uint32_t transfer, std::uint32_t receive, Instant clock);
    void count_received(const Transfer& transfer);
    void launch(std::uint32_t transfer, Instant when, bool from_source, std::uint64_t size_bytes);
    void inform(std::uint32_t rank, std::uint32_t operation, Instant when, bool on_start);
    void finish(std::uint32_t rank, std::uint32_t operation, Instant when);

    std::uint32_t find_posted(const Transfer& transfer, std::uint64_t& searched);
    std::uint32_t find_unexpected(std::uint32_t rank, const Operation& receive,
                                  std::uint64_t& searched);
    void append_posted(std::uint32_t rank, std::uint32_t index);
    void append_unexpected(std::uint32_t transfer);
    void remove_unexpected(std::uint32_t transfer);

    const Operation& operation(std::uint32_t rank, std::uint32_t index) const {
        return x_schedule.operations_of(rank)[index];
    }
    std::uint32_t number(std::uint32_t rank, std::uint32_t index) const {
        return x_schedule.first_operation(rank) + index;
    }
    Instant& cpu_free(std::uint32_t rank, std::uint8_t cpu) {
        if (cpu == 0) return x_ranks[rank].cpu_free;
        return x_other_cpus[std::uint64_t{rank} << 8 | cpu];
    }
    std::uint32_t new_transfer();

    const Schedule& x_schedule;
    ReplayParameters x_parameters;
    ReplayMemory x_memory;
    Network* x_network;
    std::vector<Rank> x_ranks;
    std::unordered_map<std::uint64_t, Instant> x_other_cpus;
    std::vector<Ready> x_ready;  ///< A heap, of the rank that runs.

    // One of each for every operation.
    /// What it still waits for; of a posted receive, its place in the order of posting.
    std::vector<std::uint32_t> x_counters;
    std::vector<std::uint32_t> x_next;  ///< Of a posted receive, the next of the same key.
    std::vector<Instant> x_ready_at;
    std::vector<Status> x_status;

    std::vector<Transfer> x_transfers;
    std::vector<std::uint32_t> x_free_transfers;
    MatchTable x_posted, x_unexpected;
    // In order, and only if somebody asks for the order: for the places of entries that a search
    // goes past, and for receives that accept any message.
    bool x_counts_places = false, x_orders_unexpected = false;
    std::vector<std::vector<std::uint32_t>> x_posted_order, x_unexpected_order;
    bool x_is_started = false;
    std::uint32_t x_done = 0;
    std::uint64_t x_unexpected_count = 0;
    std::uint64_t x_control_messages = 0;
};

}  // namespace kumi
