#include "schedule/replay.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace kumi {

Replay::Replay(const Schedule& schedule, const ReplayParameters& parameters,
               const FabricDescription& fabric, const Routing& routing)
    : x_schedule(schedule), x_parameters(parameters) {
    const std::uint64_t room = std::uint64_t{fabric.hosts} * parameters.ranks_per_host;
    if (schedule.ranks() > room) {
        throw std::invalid_argument(std::to_string(schedule.ranks()) +
                                    " ranks do not fit: the machine has room for " +
                                    std::to_string(room));
    }
    x_network = Network::create(x_memory.arena(), fabric, routing);
    prepare();
}

void Replay::prepare() {
    const std::uint32_t operations = x_schedule.operations();
    x_ranks.resize(x_schedule.ranks());
    x_counters.resize(operations);
    x_next.resize(operations, MatchTable::kNone);
    x_ready_at.resize(operations);
    x_status.resize(operations, Status::kWaits);
    x_counts_places = x_parameters.match_cost.ps > 0;
    x_orders_unexpected = x_counts_places;
    for (std::uint32_t rank = 0; rank < x_schedule.ranks(); ++rank) {
        for (const Successor after : x_schedule.successors_of(rank)) {
            ++x_counters[number(rank, after.operation())];
        }
        for (const Operation& operation : x_schedule.operations_of(rank)) {
            if (operation.kind != OperationKind::kReceive) continue;
            x_orders_unexpected |= operation.peer == kAnyPeer || operation.tag == kAnyTag;
        }
    }
    if (x_counts_places) x_posted_order.resize(x_ranks.size());
    if (x_orders_unexpected) x_unexpected_order.resize(x_ranks.size());
}

void Replay::start_all() {
    x_is_started = true;
    for (std::uint32_t rank = 0; rank < x_schedule.ranks(); ++rank) {
        const auto operations = x_schedule.operations_of(rank);
        for (std::uint32_t index = 0; index < operations.size(); ++index) {
            // In ascending order, which is a heap already.
            if (x_counters[number(rank, index)] == 0) x_ready.push_back({Instant{}, index});
        }
        run_ready(rank);
    }
}

bool Replay::advance(std::uint64_t events) {
    if (!x_is_started) start_all();
    for (; events > 0; --events) {
        if (x_network->next_event_time() == kNever) return false;
        x_network->execute_next(*this);
    }
    return x_network->next_event_time() != kNever;
}

Instant Replay::virtual_time() const {
    Instant latest{};
    for (const Rank& rank : x_ranks) latest = later(latest, rank.replayed.finish);
    return latest;
}

void Replay::run_ready(std::uint32_t rank) {
    while (!x_ready.empty()) {
        std::pop_heap(x_ready.begin(), x_ready.end(), std::greater<>());
        const Ready next = x_ready.back();
        x_ready.pop_back();
        execute(rank, next.operation, next.when);
    }
}

void Replay::execute(std::uint32_t rank, std::uint32_t index, Instant ready) {
    const Operation& what = operation(rank, index);
    x_status[number(rank, index)] = Status::kStarted;
    switch (what.kind) {
        case OperationKind::kSend:
            return send(rank, index, ready);
        case OperationKind::kReceive:
            return post(rank, index, ready);
        case OperationKind::kCompute: {
            Instant& free = cpu_free(rank, what.cpu);
            const Instant begin = later(ready, free);
            free = begin + Duration{static_cast<std::int64_t>(what.amount)};
            const Instant end = free;
            inform(rank, index, begin, true);
            return finish(rank, index, end);
        }
        case OperationKind::kWaitUntil:
            inform(rank, index, ready, true);
            return finish(rank, index,
                          later(ready, Instant{static_cast<std::int64_t>(what.amount)}));
    }
}

void Replay::send(std::uint32_t rank, std::uint32_t index, Instant ready) {
    const Operation& what = operation(rank, index);
    Instant& free = cpu_free(rank, what.cpu);
    const Instant begin = later(ready, free);
    const Instant end = free = begin + x_parameters.send_overhead;
    const std::uint32_t number_of_transfer = new_transfer();
    Transfer& transfer = x_transfers[number_of_transfer];
    transfer.size_bytes = what.amount;
    transfer.source = rank;
    transfer.target = what.peer;
    transfer.tag = what.tag;
    transfer.send = index;
    const bool is_eager = what.amount <= x_parameters.eager_limit_bytes;
    transfer.stage = is_eager ? Transfer::Stage::kEager : Transfer::Stage::kRequest;
    launch(number_of_transfer, end, true, is_eager ? what.amount : x_parameters.control_bytes);
    inform(rank, index, begin, true);
    if (is_eager) finish(rank, index, end);
}

void Replay::post(std::uint32_t rank, std::uint32_t index, Instant ready) {
    inform(rank, index, ready, true);
    if (x_ranks[rank].unexpected == 0) return append_posted(rank, index);
    const Operation& what = operation(rank, index);
    std::uint64_t searched = 0;
    const std::uint32_t found = find_unexpected(rank, what, searched);
    const Duration cost = x_parameters.match_cost * static_cast<std::int64_t>(searched);
    if (found == MatchTable::kNone && cost.ps == 0) return append_posted(rank, index);
    Instant& free = cpu_free(rank, what.cpu);
    free = later(ready, free) + cost;
    if (found == MatchTable::kNone) return append_posted(rank, index);
    remove_unexpected(found);
    match(found, index, free);
}

void Replay::arrived(Instant when, std::uint64_t cookie) {
    const auto number_of_transfer = static_cast<std::uint32_t>(cookie);
    Transfer& transfer = x_transfers[number_of_transfer];
    switch (transfer.stage) {
        case Transfer::Stage::kEager:
        case Transfer::Stage::kRequest:
            envelope_arrived(number_of_transfer, when);
            return run_ready(transfer.target);
        case Transfer::Stage::kFetch:
            // The sender's interface answers by itself.
            transfer.stage = Transfer::Stage::kData;
            return launch(number_of_transfer, when, true, transfer.size_bytes);
        case Transfer::Stage::kData:
            data_arrived(number_of_transfer, when);
            return run_ready(transfer.target);
        case Transfer::Stage::kFinished: {
            const std::uint32_t rank = transfer.source;
            const Instant free = cpu_free(rank, operation(rank, transfer.send).cpu);
            finish(rank, transfer.send, later(when, free));
            x_free_transfers.push_back(number_of_transfer);
            return run_ready(rank);
        }
    }
}

void Replay::envelope_arrived(std::uint32_t number_of_transfer, Instant when) {
    const Transfer& transfer = x_transfers[number_of_transfer];
    const std::uint32_t rank = transfer.target;
    std::uint64_t searched = 0;
    const std::uint32_t receive = find_posted(transfer, searched);
    const bool is_expected = receive != MatchTable::kNone;
    if (is_expected || searched > 0) {
        Instant& free = cpu_free(rank, is_expected ? operation(rank, receive).cpu : 0);
        free = later(when, free) + x_parameters.match_cost * static_cast<std::int64_t>(searched);
        if (is_expected) return match(number_of_transfer, receive, free);
    }
    append_unexpected(number_of_transfer);
}

void Replay::match(std::uint32_t number_of_transfer, std::uint32_t receive, Instant clock) {
    Transfer& transfer = x_transfers[number_of_transfer];
    const std::uint32_t rank = transfer.target;
    transfer.receive = receive;
    if (transfer.stage == Transfer::Stage::kRequest) {
        transfer.stage = Transfer::Stage::kFetch;
        return launch(number_of_transfer, clock, false, x_parameters.control_bytes);
    }
    clock += x_parameters.receive_overhead;
    cpu_free(rank, operation(rank, receive).cpu) = clock;
    count_received(transfer);
    finish(rank, receive, clock);
    x_free_transfers.push_back(number_of_transfer);
}

void Replay::data_arrived(std::uint32_t number_of_transfer, Instant when) {
    Transfer& transfer = x_transfers[number_of_transfer];
    Instant& free = cpu_free(transfer.target, operation(transfer.target, transfer.receive).cpu);
    free = later(when, free) + x_parameters.receive_overhead;
    const Instant clock = free;
    transfer.stage = Transfer::Stage::kFinished;
    launch(number_of_transfer, clock, false, x_parameters.control_bytes);
    count_received(transfer);
    finish(transfer.target, transfer.receive, clock);
}

void Replay::count_received(const Transfer& transfer) {
    ++x_ranks[transfer.target].replayed.messages_received;
    x_ranks[transfer.target].replayed.bytes_received += transfer.size_bytes;
}

void Replay::launch(std::uint32_t number_of_transfer, Instant when, bool from_source,
                    std::uint64_t size_bytes) {
    const Transfer& transfer = x_transfers[number_of_transfer];
    const std::uint32_t from = from_source ? transfer.source : transfer.target;
    const std::uint32_t to = from_source ? transfer.target : transfer.source;
    const bool carries_data =
        transfer.stage == Transfer::Stage::kEager || transfer.stage == Transfer::Stage::kData;
    if (carries_data) {
        ++x_ranks[from].replayed.messages_sent;
        x_ranks[from].replayed.bytes_sent += size_bytes;
    } else {
        ++x_control_messages;
    }
    x_network->inject(when, from / x_parameters.ranks_per_host, to / x_parameters.ranks_per_host,
                      size_bytes, from, x_ranks[from].next_sequence++, number_of_transfer, false);
}

void Replay::inform(std::uint32_t rank, std::uint32_t index, Instant when, bool on_start) {
    for (const Successor after : x_schedule.successors(rank, index)) {
        if (after.on_start() != on_start) continue;
        const std::uint32_t waiting = number(rank, after.operation());
        x_ready_at[waiting] = later(x_ready_at[waiting], when);
        if (--x_counters[waiting] > 0) continue;
        x_ready.push_back({x_ready_at[waiting], after.operation()});
        std::push_heap(x_ready.begin(), x_ready.end(), std::greater<>());
    }
}

void Replay::finish(std::uint32_t rank, std::uint32_t index, Instant when) {
    ReplayedRank& replayed = x_ranks[rank].replayed;
    x_status[number(rank, index)] = Status::kDone;
    ++x_done;
    replayed.finish = later(replayed.finish, when);
    inform(rank, index, when, false);
}

std::uint32_t Replay::new_transfer() {
    if (x_free_transfers.empty()) {
        x_transfers.emplace_back();
        return static_cast<std::uint32_t>(x_transfers.size() - 1);
    }
    const std::uint32_t index = x_free_transfers.back();
    x_free_transfers.pop_back();
    x_transfers[index] = {};
    return index;
}

std::string Replay::describe_wait(std::uint32_t rank) const {
    const auto operations = x_schedule.operations_of(rank);
    std::string text;
    std::uint32_t more = 0, never = 0;
    for (std::uint32_t index = 0; index < operations.size(); ++index) {
        const Status status = x_status[number(rank, index)];
        if (status == Status::kWaits) ++never;
        if (status != Status::kStarted) continue;
        if (!text.empty()) {
            ++more;
            continue;
        }
        const Operation& what = operations[index];
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

}  // namespace kumi
