// A replay from outside: how it is set up, driven and looked at.
#include "schedule/replay/replay.hpp"

#include <stdexcept>
#include <utility>

#include "base/memory/prefetch.hpp"

namespace kumi::schedule {

Replay::Replay(const Schedule& schedule, const ReplayParameters& parameters,
               const network::FabricDescription& fabric, const network::Routing& routing,
               const ReplayRecording& recording)
    : x_schedule(schedule), x_parameters(parameters), x_resumptions(&x_memory.arena()) {
    place_ranks(fabric);
    if (fabric.hosts > kHostsWithTable) {
        x_paths = std::make_unique<network::PathFinder>(fabric, routing);
        x_network = network::Network::create(x_memory.arena(), fabric, *x_paths);
    } else {
        x_network = network::Network::create(x_memory.arena(), fabric, routing);
    }
    if (recording.level == conductor::Detail::kFull && !recording.directory.empty()) {
        x_network->keep_power_log();
        x_network->keep_arrivals();
        x_records = std::make_unique<ReplayRecords>(
            x_memory.arena(), schedule.ranks(), recording.directory,
            parameters.endpoint.service.kind != endpoint::service::Kind::kNone);
    }
    prepare();
}

void Replay::place_ranks(const network::FabricDescription& fabric) {
    const std::uint32_t room = x_parameters.ranks_per_host;
    if (room == 0) throw std::invalid_argument("a host needs room for at least one rank");
    if (x_schedule.ranks() > std::uint64_t{fabric.hosts} * room) {
        throw std::invalid_argument(std::to_string(x_schedule.ranks()) +
                                    " ranks do not fit: the platform has room for " +
                                    std::to_string(std::uint64_t{fabric.hosts} * room));
    }
    const std::vector<std::uint32_t>& hosts = x_parameters.rank_hosts;
    network::check_rank_hosts(fabric, hosts, x_schedule.ranks(), room);
    x_ranks.resize(x_schedule.ranks());
    if (hosts.empty() && room == 1) return;
    x_hosts = hosts;
    if (hosts.empty()) {
        x_hosts.resize(x_schedule.ranks());
        for (std::uint32_t rank = 0; rank < x_hosts.size(); ++rank) x_hosts[rank] = rank / room;
    }
}

void Replay::prepare() {
    x_states.create(x_schedule.operations(), x_parameters.most_held_bytes);
    for (std::uint32_t rank = 0; rank < x_schedule.ranks(); ++rank) prepare_rank(rank);
    x_posted.resize(x_schedule.ranks());
    x_unexpected.resize(x_schedule.ranks());
    if (x_parameters.endpoint.service.kind != endpoint::service::Kind::kNone) {
        x_services = std::make_unique<ReplayServices>(x_parameters.endpoint.service,
                                                      x_parameters.endpoint.control_bytes,
                                                      x_schedule.ranks(), x_records.get());
    }
    if (x_parameters.endpoint.service.kind == endpoint::service::Kind::kOracle) connect_ahead();
    if (x_services != nullptr) x_services->note_first_memory();
    if (x_schedule.errors() != nullptr) {
        x_errors = std::make_unique<ReplayErrors>(x_memory.arena(), *x_schedule.errors(),
                                                  x_parameters.seed, x_schedule.ranks());
    }
    if (x_parameters.endpoint.matches_by_interface)
        x_interfaces = std::make_unique<ReplayInterfaces>(x_schedule.ranks());
    if (x_schedule.ranks() > kMostAccounts) return;
    x_accounts.resize(x_schedule.ranks());
    if (x_records != nullptr) x_queue_depths.resize(x_schedule.ranks());
}

void Replay::connect_ahead() {
    std::vector<std::uint64_t> packets(x_schedule.ranks());
    std::vector<std::uint32_t> targets;
    std::vector<endpoint::service::Traffic> traffic;
    for (std::uint32_t rank = 0; rank < x_schedule.ranks(); ++rank) {
        for (const Operation& operation : x_schedule.operations_of(rank)) {
            if (operation.kind != OperationKind::kSend || operation.has(traits::kBare)) continue;
            if (host_of(rank) == host_of(operation.peer)) continue;
            if (packets[operation.peer] == 0) targets.push_back(operation.peer);
            packets[operation.peer] +=
                endpoint::service::packets_of(x_parameters.endpoint.service, operation.amount);
        }
        traffic.clear();
        for (const std::uint32_t target : targets)
            traffic.push_back({target, std::exchange(packets[target], 0)});
        targets.clear();
        x_services->connect_ahead(rank, traffic);
    }
    x_services->accept_ahead();
}

void Replay::prepare_rank(std::uint32_t number) {
    Rank& rank = x_ranks[number];
    const auto operations = x_schedule.operations_of(number);
    const auto successors = x_schedule.successors_of(number);
    rank.operations = operations.data();
    rank.successors = successors.data();
    rank.states = x_states.data() + x_schedule.first_operation(number);
    rank.count = static_cast<std::uint32_t>(operations.size());
    rank.successor_count = static_cast<std::uint32_t>(successors.size());
    for (const Successor after : successors) {
        ++rank.states[after.operation()].waits_for;
        rank.has_waits_for_starts |= after.on_start();
    }
    bool has_starts = false;
    for (const Operation& operation : operations) {
        rank.uses_one_cpu &= operation.cpu == 0;
        has_starts |= operation.kind == OperationKind::kSynchronise ||
                      operation.kind == OperationKind::kWaitAfter;
    }
    if (has_starts && x_starts == nullptr) {
        x_starts = std::make_unique<ReplayStarts>(
            x_schedule.ranks(), x_parameters.start_sides, x_hosts,
            endpoint::StartJitter(x_parameters.start_jitter, x_parameters.seed));
    }
}

void Replay::start_all() {
    x_is_started = true;
    for (std::uint32_t rank = 0; rank < x_schedule.ranks(); ++rank) {
        for (std::uint32_t index = 0; index < x_ranks[rank].count; ++index) {
            if (x_ranks[rank].states[index].waits_for == 0) x_ready.push({Instant{}, index});
        }
        run_ready(rank);
    }
}

/// What an arrival leads to, step by step: the transfer, the rank and its queue, the receive that
/// will likely get it, what waits for that.
void Replay::expect(std::uint64_t cookie, int steps_before) const {
    const Transfer& transfer = x_transfers[cookie];
    if (steps_before == 4) return prefetch_line(&transfer);
    const Rank& rank = x_ranks[transfer.target];
    if (steps_before == 3) {
        prefetch_line(&rank);
        prefetch_line(&rank.done);
        if (!x_accounts.empty()) {
            prefetch_line(&x_accounts[transfer.target].posted);
            prefetch_line(&x_accounts[transfer.target].unexpected);
        }
        return x_posted[transfer.target].prefetch();
    }
    const ReplayPosted* likely = x_posted[transfer.target].likely_next();
    if (likely == nullptr) {
        if (steps_before == 2) {
            x_posted[transfer.target].prefetch({transfer.source, transfer.tag});
        }
        return;
    }
    const std::uint32_t receive = likely->id;
    const Operation* operation = rank.operations + receive;
    if (steps_before == 2) {
        prefetch_line(operation);
        return prefetch_line(rank.states + receive);
    }
    const Successor* successor = rank.successors + operation->first_successor;
    if (steps_before == 1) {
        x_network->expect_injections(host_of(transfer.target));
        prefetch_line(successor);
        return prefetch_line(successor + 8);
    }
    if (operation->first_successor == rank.successor_count) return;
    // What waits in turn for that mostly lies behind it.
    const std::uint32_t next = successor->operation();
    prefetch_line(rank.operations + next);
    prefetch_line(rank.operations + next + 2);
    prefetch_line(rank.states + next);
    prefetch_line(rank.states + next + 3);
}

bool Replay::advance(std::uint64_t events) {
    if (x_unconnected || x_truncated) return false;
    try {
        return execute_events(events);
    } catch (const UnconnectedRanks& ranks) {
        x_unconnected = ranks;
        return false;
    } catch (const TruncatedMessage& message) {
        x_truncated = message;
        return false;
    }
}

bool Replay::execute_events(std::uint64_t events) {
    if (!x_is_started) start_all();
    // Nothing happens at kNever.
    const Instant last = std::min(x_parameters.time_limit, kNever - Duration{1});
    while (events > 0) {
        const Instant next = x_network->next_event_time();
        // An event is executed only if no rank could still send into its past.
        if (x_next_resumption <= next) {
            if (x_next_resumption > last) return false;
            resume(take_resumption());
            continue;
        }
        if (next > last) return false;
        x_network->execute_next(*this);
        --events;
    }
    return next_time() <= last;
}

/// Fetches what the next resumptions will touch, step by step, as the network does for its events.
void Replay::fetch_resumptions() const {
    constexpr std::uint32_t kRank = 16, kOperation = 8, kSuccessor = 4;
    const auto operation_of = [](const engine::Event& resumption) {
        return static_cast<std::uint32_t>(resumption.key.source_sequence);
    };
    for (const engine::Event& resumption : x_resumptions.upcoming(kRank)) {
        prefetch_line(&x_ranks[resumption.key.source_id()]);
        prefetch_line(&x_ranks[resumption.key.source_id()].done);
    }
    for (const engine::Event& resumption : x_resumptions.upcoming(kOperation)) {
        const Rank& rank = x_ranks[resumption.key.source_id()];
        x_posted[resumption.key.source_id()].prefetch();
        if (operation_of(resumption) == kNone) continue;
        // Other operations of the resumption mostly come next.
        prefetch_line(rank.operations + operation_of(resumption));
        prefetch_line(rank.operations + operation_of(resumption) + 2);
        prefetch_line(rank.states + operation_of(resumption));
        prefetch_line(rank.states + operation_of(resumption) + 3);
    }
    for (const engine::Event& resumption : x_resumptions.upcoming(kSuccessor)) {
        const Rank& rank = x_ranks[resumption.key.source_id()];
        if (operation_of(resumption) == kNone) continue;
        prefetch_line(rank.successors + rank.operations[operation_of(resumption)].first_successor);
    }
}

engine::Event Replay::take_resumption() {
    const engine::Event first = x_resumptions.take();
    if (x_resumptions.begins_block()) fetch_resumptions();
    x_resumptions.settle();
    x_next_resumption = x_resumptions.top() == nullptr ? kNever : x_resumptions.top()->key.time;
    return first;
}

void Replay::close_records() {
    if (x_records == nullptr) return;
    std::vector<Instant> finishes;
    finishes.reserve(x_ranks.size());
    for (std::uint32_t rank = 0; rank < ranks(); ++rank)
        finishes.push_back(this->rank(rank).finish);
    for (std::uint32_t rank = 0; x_services != nullptr && rank < ranks(); ++rank)
        for (const conductor::TrafficRecord& record : x_services->traffic(rank))
            x_records->note(record);
    x_records->close(finishes);
}

ReplayProgress Replay::progress() const {
    return {.virtual_time = x_network->now(),
            .operations_done = x_done,
            .operations = x_schedule.operations(),
            .events = x_network->event_count(),
            .messages = x_messages,
            .bytes = x_bytes,
            .control_messages = x_control_messages,
            .control_bytes = x_control_bytes,
            .messages_in_flight = x_network->messages_in_flight()};
}

ReplayedRank Replay::rank(std::uint32_t number) const {
    const Rank& rank = x_ranks[number];
    ReplayedRank replayed{.host = host_of(number),
                          .compute = rank.compute,
                          .communication = rank.communication,
                          .finish = later(rank.finish, rank.clock)};
    if (rank.done < rank.count) replayed.finish = later(replayed.finish, waited_until());
    replayed.finish = earlier(replayed.finish, x_parameters.time_limit);
    replayed.wait = (replayed.finish - Instant{}) - rank.compute - rank.communication;
    replayed.messages_sent = rank.messages_sent;
    replayed.bytes_sent = rank.bytes_sent;
    replayed.messages_received = rank.messages_received;
    replayed.bytes_received = rank.bytes_received;
    return replayed;
}

std::vector<StuckRank> Replay::stuck_ranks(std::size_t most) const {
    std::vector<StuckRank> stuck;
    for (std::uint32_t rank = 0; rank < x_ranks.size() && stuck.size() < most; ++rank) {
        if (x_ranks[rank].done == x_ranks[rank].count) continue;
        stuck.push_back({rank, describe_wait(rank)});
    }
    return stuck;
}

std::string Replay::describe_wait(std::uint32_t number) const {
    const Rank& rank = x_ranks[number];
    std::string text;
    std::uint32_t more = 0, never = 0;
    for (std::uint32_t index = 0; index < rank.count; ++index) {
        const std::uint32_t waits_for = rank.states[index].waits_for;
        if (waits_for == OperationState::kDone) continue;
        if (waits_for != OperationState::kStarted) {
            ++never;
            continue;
        }
        if (!text.empty()) {
            ++more;
            continue;
        }
        const Operation& what = rank.operations[index];
        if (what.kind == OperationKind::kSynchronise) {
            text = "waits for the common start of all ranks";
            continue;
        }
        const std::string peer =
            what.peer == kAnyPeer ? "any rank" : "rank " + std::to_string(what.peer);
        const std::string tag = what.tag == kAnyTag ? "any tag" : "tag " + std::to_string(what.tag);
        text = what.kind == OperationKind::kReceive ? "waits for a message from " + peer
                                                    : "waits for a receive by " + peer;
        text += " with " + tag;
    }
    if (more > 0) text += " and " + std::to_string(more) + " more";
    if (never > 0)
        text += ", " + std::to_string(never) +
                (never == 1 ? " operation behind it" : " operations behind it");
    return text;
}

}  // namespace kumi::schedule
