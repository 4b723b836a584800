#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "conductor/records/records.hpp"
#include "endpoint/service/service.hpp"
#include "schedule/replay/features/replay_records.hpp"

namespace kumi::schedule {

/// By what the ranks of a replay send to each other, connections or datagrams, and what came of it.
/// Only if the platform has a service.
class ReplayServices {
   public:
    /// `control_bytes` are those of a request to send.
    /// Changes of memory go to `records` unless that is nullptr.
    ReplayServices(const endpoint::service::Parameters& parameters, std::uint64_t control_bytes,
                   std::uint32_t ranks, ReplayRecords* records)
        : x_parameters(parameters),
          x_control_bytes(control_bytes),
          x_records(records),
          x_accounts(ranks),
          x_peers(ranks),
          x_packets_received(ranks) {}

    /// The rank is to close the connection to this one.
    struct Closing {
        std::uint32_t target = 0;
        std::uint32_t generation = 0;
    };

    /// The rank sends: what changes until `depart` is one change.
    void begin_step(std::uint32_t rank) { x_steps = x_accounts[rank].steps(); }
    /// Closes connections until the rank may ask for one to the target, if that is possible.
    /// Returns which, until the next call.
    std::span<const Closing> make_room(std::uint32_t rank, std::uint32_t target) {
        x_closings.clear();
        if (may_evict_for(x_parameters, x_accounts[rank], x_peers[rank][target]))
            close_least_valuable(rank);
        return x_closings;
    }
    /// The rank looks at a notice.
    void hear_closing(std::uint32_t rank, std::uint32_t source, Instant now,
                      std::uint32_t generation);
    /// Of the connection that a transfer goes by; those of most services are never closed.
    void note_generation(std::uint32_t transfer, std::uint32_t generation) {
        if (x_parameters.kind != endpoint::service::Kind::kHintEvict) return;
        if (transfer >= x_generations.size()) x_generations.resize(transfer + 1);
        x_generations[transfer] = generation;
    }
    std::uint32_t generation_of(std::uint32_t transfer) const {
        return transfer < x_generations.size() ? x_generations[transfer] : 0;
    }
    /// See endpoint::service::depart.
    endpoint::service::Departure depart(std::uint32_t rank, std::uint32_t target,
                                        const endpoint::service::Sending& sending) {
        const auto departure = endpoint::service::depart(x_parameters, x_accounts[rank],
                                                         x_peers[rank][target], sending);
        if (x_accounts[rank].steps() != x_steps) note_memory(rank, sending.at);
        return departure;
    }
    /// The rank looks at a message that has come by a connection.
    void accept(std::uint32_t rank, std::uint32_t source, Instant now, std::uint32_t generation) {
        const std::uint64_t steps = x_accounts[rank].steps();
        endpoint::service::accept(x_accounts[rank], x_peers[rank][source], now, generation);
        if (x_accounts[rank].steps() != steps) note_memory(rank, now);
    }
    /// The rank gets a message that has come by datagrams; returns for how long it works on them.
    Duration collect(std::uint32_t rank, std::uint64_t size_bytes, bool was_requested) {
        const std::uint64_t packets = endpoint::service::packets_received(
            x_parameters, size_bytes, was_requested, x_control_bytes);
        x_packets_received[rank] += packets;
        return endpoint::service::cost_of(x_parameters, packets);
    }
    void take_hint(std::uint32_t rank, endpoint::service::Hint hint, Instant now);

    /// An oracle knows what the rank is going to send to ranks on other hosts: before the replay
    /// begins. `traffic` is put into the order of need.
    void connect_ahead(std::uint32_t rank, std::span<endpoint::service::Traffic> traffic) {
        endpoint::service::rank_by_need(traffic);
        for (const endpoint::service::Traffic& each : traffic)
            endpoint::service::ask_ahead(x_parameters, x_accounts[rank],
                                         x_peers[rank][each.target]);
    }
    /// After that of all ranks: the other ends have the connections, too.
    void accept_ahead();
    /// What connections and memory ranks have at the start, those of an oracle included.
    void note_first_memory();
    /// What the rank sent to others, by their numbers.
    std::vector<conductor::TrafficRecord> traffic(std::uint32_t rank) const;

    const endpoint::service::Parameters& parameters() const { return x_parameters; }
    /// Of each rank.
    std::span<const endpoint::service::Account> accounts() const { return x_accounts; }
    std::span<const std::uint64_t> packets_received() const { return x_packets_received; }

   private:
    void note_memory(std::uint32_t rank, Instant now);
    void close_least_valuable(std::uint32_t rank);

    endpoint::service::Parameters x_parameters;
    std::uint64_t x_control_bytes;
    ReplayRecords* x_records;
    std::vector<endpoint::service::Account> x_accounts;
    /// Of each rank, by the other's number: most ranks know few others.
    std::vector<std::unordered_map<std::uint32_t, endpoint::service::Peer>> x_peers;
    std::vector<std::uint64_t> x_packets_received;
    std::vector<Closing> x_closings;
    std::vector<std::uint32_t> x_generations;  ///< Of transfers, by their numbers.
    std::uint64_t x_steps = 0;                 ///< Of the rank that sends.
};

}  // namespace kumi::schedule
