// What happens in a replay: operations start, messages arrive.
#include <stdexcept>

#include "schedule/replay.hpp"

namespace kumi {

void Replay::wake(const Wake& wake) {
    if (wake.operation != kNone) {
        execute(wake.rank, {wake.when, wake.operation});
        return run_ready(wake.rank);
    }
    Rank& rank = x_ranks[wake.rank];
    std::uint32_t next = rank.inbox_first;
    rank.inbox_first = rank.inbox_last = kNone;
    while (next != kNone) {
        const std::uint32_t transfer = next;
        next = x_transfers[transfer].next;
        handle(transfer);
    }
    run_ready(wake.rank);
}

void Replay::run_ready(std::uint32_t rank) {
    while (!x_ready.empty()) {
        const ReadyOperation next = x_ready.pop();
        // What waited for a point of time, or for another cpu, must not hide what arrives until
        // then.
        const bool is_early =
            next.when > cpu_free(rank, x_ranks[rank].operations[next.operation].cpu);
        if (is_early && next.when > x_network->now()) {
            x_wakes.push({next.when, rank, next.operation});
        } else {
            execute(rank, next);
        }
    }
}

Instant Replay::occupy(std::uint32_t rank, const Operation& what, Instant ready, Duration span,
                       RankState state) {
    if (what.has(traits::kInterface)) return ready;
    return occupy(rank, what.cpu, ready, span, state);
}

Instant Replay::occupy(std::uint32_t number, std::uint8_t cpu, Instant ready, Duration span,
                       RankState state) {
    Instant& free = cpu_free(number, cpu);
    const Instant begin = later(ready, free);
    if (__builtin_add_overflow(begin.ps, span.ps, &free.ps)) {
        throw std::overflow_error("rank " + std::to_string(number) +
                                  ": virtual time has come to its end");
    }
    if (cpu != 0) return begin;
    Rank& rank = x_ranks[number];
    (state == RankState::kCompute ? rank.compute : rank.communication) += span;
    if (x_records != nullptr) x_records->note_state(number, begin, rank.clock, state);
    return begin;
}

void Replay::execute(std::uint32_t rank, const ReadyOperation& ready) {
    const std::uint32_t index = ready.operation;
    const Operation& what = x_ranks[rank].operations[index];
    x_ranks[rank].states[index].waits_for = OperationState::kStarted;
    switch (what.kind) {
        case OperationKind::kSend:
            return send(rank, index, ready.when);
        case OperationKind::kReceive:
            return post(rank, index, ready.when);
        case OperationKind::kCompute: {
            const Duration span{static_cast<std::int64_t>(what.amount)};
            const RankState state =
                what.has(traits::kSoftware) ? RankState::kCommunication : RankState::kCompute;
            const Instant begin = occupy(rank, what.cpu, ready.when, span, state);
            inform(rank, index, begin, true);
            return finish(rank, index, begin + span);
        }
        case OperationKind::kWaitUntil:
            inform(rank, index, ready.when, true);
            return finish(rank, index,
                          later(ready.when, Instant{static_cast<std::int64_t>(what.amount)}));
    }
}

void Replay::send(std::uint32_t rank, std::uint32_t index, Instant ready) {
    const Operation& what = x_ranks[rank].operations[index];
    const bool is_bare = what.has(traits::kBare);
    const Duration overhead = is_bare ? Duration{} : x_parameters.send_overhead;
    const Instant begin = occupy(rank, what, ready, overhead, RankState::kCommunication);
    const Instant end = begin + overhead;
    const std::uint32_t number = new_transfer();
    Transfer& transfer = x_transfers[number];
    transfer.size_bytes = what.amount;
    transfer.source = rank;
    transfer.target = what.peer;
    transfer.tag = what.tag;
    transfer.send = index;
    transfer.traits = what.traits;
    const bool is_eager = is_bare || what.amount <= x_parameters.eager_limit_bytes;
    transfer.stage = is_eager ? Transfer::Stage::kEager : Transfer::Stage::kRequest;
    launch(number, end, true, is_eager ? what.amount : x_parameters.control_bytes);
    inform(rank, index, begin, true);
    if (is_eager) finish(rank, index, end);
}

void Replay::post(std::uint32_t rank, std::uint32_t index, Instant ready) {
    inform(rank, index, ready, true);
    if (x_ranks[rank].unexpected == 0) return append_posted(rank, index);
    const Operation& what = x_ranks[rank].operations[index];
    std::uint64_t searched = 0;
    const std::uint32_t found = take_unexpected(rank, what, searched);
    const Duration cost = search_cost(what.has(traits::kBare), searched);
    if (found == kNone && cost.ps == 0) return append_posted(rank, index);
    const Instant begin = occupy(rank, what, ready, cost, RankState::kCommunication);
    if (found == kNone) return append_posted(rank, index);
    match(found, index, begin + cost);
}

void Replay::arrived(Instant when, std::uint64_t cookie) {
    const auto number = static_cast<std::uint32_t>(cookie);
    Transfer& transfer = x_transfers[number];
    transfer.arrived = when;
    count_arrival(transfer);
    if (transfer.stage == Transfer::Stage::kFetch) {
        // The sender's interface answers by itself.
        transfer.stage = Transfer::Stage::kData;
        return launch(number, when, true, transfer.size_bytes);
    }
    const std::uint32_t rank =
        transfer.stage == Transfer::Stage::kFinished ? transfer.source : transfer.target;
    Rank& owner = x_ranks[rank];
    if (owner.clock <= when || !owner.uses_one_cpu || transfer.has(traits::kRequest)) {
        handle(number);
        return run_ready(rank);
    }
    transfer.next = kNone;
    if (owner.inbox_first == kNone) {
        owner.inbox_first = number;
        x_wakes.push({owner.clock, rank, kNone});
    } else {
        x_transfers[owner.inbox_last].next = number;
    }
    owner.inbox_last = number;
}

/// First the transfer, then the rank and its queue, then the receive that will likely get it.
void Replay::expect(std::uint64_t cookie, int steps_before) const {
    const Transfer& transfer = x_transfers[cookie];
    if (steps_before == 2) return __builtin_prefetch(&transfer, 1);
    const Rank& rank = x_ranks[transfer.target];
    if (steps_before == 1) {
        __builtin_prefetch(&rank, 1);
        __builtin_prefetch(&rank.done, 1);
        return x_posted.prefetch(transfer.target);
    }
    x_posted.prefetch_key(transfer.target, transfer.source, transfer.tag);
    const std::uint32_t receive = x_posted.likely_next(transfer.target);
    if (receive == kNone) return;
    __builtin_prefetch(rank.operations + receive);
    __builtin_prefetch(rank.states + receive, 1);
}

void Replay::handle(std::uint32_t number) {
    Transfer& transfer = x_transfers[number];
    transfer.next = kNone;
    switch (transfer.stage) {
        case Transfer::Stage::kEager:
        case Transfer::Stage::kRequest:
            return envelope_arrived(number);
        case Transfer::Stage::kData:
            return data_arrived(number);
        case Transfer::Stage::kFinished: {
            const std::uint32_t rank = transfer.source;
            const std::uint8_t cpu = x_ranks[rank].operations[transfer.send].cpu;
            finish(rank, transfer.send, later(transfer.arrived, cpu_free(rank, cpu)));
            return x_free_transfers.push_back(number);
        }
        case Transfer::Stage::kFetch:
            return;
    }
}

void Replay::envelope_arrived(std::uint32_t number) {
    const Transfer& transfer = x_transfers[number];
    const std::uint32_t rank = transfer.target;
    std::uint64_t searched = 0;
    const std::uint32_t receive = take_posted(transfer, searched);
    const Duration cost = search_cost(transfer.has(traits::kBare), searched);
    if (receive == kNone) {
        if (cost.ps > 0) occupy(rank, 0, transfer.arrived, cost, RankState::kCommunication);
        return append_unexpected(number);
    }
    const Instant begin = occupy(rank, x_ranks[rank].operations[receive], transfer.arrived, cost,
                                 RankState::kCommunication);
    match(number, receive, begin + cost);
}

void Replay::match(std::uint32_t number, std::uint32_t receive, Instant clock) {
    Transfer& transfer = x_transfers[number];
    const std::uint32_t rank = transfer.target;
    transfer.receive = receive;
    if (transfer.stage == Transfer::Stage::kRequest) {
        transfer.stage = Transfer::Stage::kFetch;
        return launch(number, clock, false, x_parameters.control_bytes);
    }
    const Duration overhead =
        transfer.has(traits::kBare) ? Duration{} : x_parameters.receive_overhead;
    const Instant begin =
        occupy(rank, x_ranks[rank].operations[receive], clock, overhead, RankState::kCommunication);
    x_free_transfers.push_back(number);
    finish(rank, receive, begin + overhead);
}

void Replay::data_arrived(std::uint32_t number) {
    Transfer& transfer = x_transfers[number];
    const std::uint32_t rank = transfer.target;
    const Instant begin =
        occupy(rank, x_ranks[rank].operations[transfer.receive].cpu, transfer.arrived,
               x_parameters.receive_overhead, RankState::kCommunication);
    const Instant end = begin + x_parameters.receive_overhead;
    transfer.stage = Transfer::Stage::kFinished;
    launch(number, end, false, x_parameters.control_bytes);
    finish(rank, transfer.receive, end);
}

void Replay::launch(std::uint32_t number, Instant when, bool from_source,
                    std::uint64_t size_bytes) {
    Transfer& transfer = x_transfers[number];
    const std::uint32_t from = from_source ? transfer.source : transfer.target;
    const std::uint32_t to = from_source ? transfer.target : transfer.source;
    Rank& sender = x_ranks[from];
    if (transfer.carries_data()) {
        ++sender.messages_sent;
        sender.bytes_sent += size_bytes;
        ++x_messages;
        x_bytes += size_bytes;
    } else {
        ++x_control_messages;
        x_control_bytes += size_bytes;
    }
    transfer.sent = when;
    transfer.sequence = sender.next_sequence++;
    x_network->inject(when, sender.host, x_ranks[to].host, size_bytes, from, transfer.sequence,
                      number, false);
}

void Replay::count_arrival(const Transfer& transfer) {
    const bool is_data = transfer.carries_data();
    if (is_data) {
        Rank& target = x_ranks[transfer.target];
        ++target.messages_received;
        target.bytes_received += transfer.size_bytes;
    }
    if (x_records == nullptr) return;
    const bool is_bare = transfer.has(traits::kBare);
    const bool from_source = is_bare || is_data || transfer.stage == Transfer::Stage::kRequest;
    const std::uint32_t from = from_source ? transfer.source : transfer.target;
    const std::uint32_t to = from_source ? transfer.target : transfer.source;
    const std::uint64_t size_bytes =
        is_data || is_bare ? transfer.size_bytes : x_parameters.control_bytes;
    const bool was_asked_for =
        transfer.stage == Transfer::Stage::kData || transfer.has(traits::kInterface);
    const MessageKind kind = !is_data        ? MessageKind::kControl
                             : was_asked_for ? MessageKind::kRendezvous
                                             : MessageKind::kEager;
    const Duration zero_load =
        x_network->zero_load_time(x_ranks[from].host, x_ranks[to].host, size_bytes);
    x_records->note_message({.sequence = transfer.sequence,
                             .source = from,
                             .target = to,
                             .size_bytes = size_bytes,
                             .sent_ps = transfer.sent.ps,
                             .arrived_ps = transfer.arrived.ps,
                             .zero_load_ps = zero_load.ps,
                             .tag = is_data ? transfer.tag : 0,
                             .kind = static_cast<std::uint8_t>(kind),
                             .reserved = {}});
}

void Replay::inform(std::uint32_t number, std::uint32_t index, Instant when, bool on_start) {
    const Rank& rank = x_ranks[number];
    const std::uint32_t end =
        index + 1 < rank.count ? rank.operations[index + 1].first_successor : rank.successor_count;
    for (std::uint32_t place = rank.operations[index].first_successor; place < end; ++place) {
        const Successor after = rank.successors[place];
        if (after.on_start() != on_start) continue;
        OperationState& waiting = rank.states[after.operation()];
        waiting.ready = later(waiting.ready, when);
        if (--waiting.waits_for == 0) x_ready.push({waiting.ready, after.operation()});
    }
}

void Replay::finish(std::uint32_t number, std::uint32_t index, Instant when) {
    Rank& rank = x_ranks[number];
    rank.states[index].waits_for = OperationState::kDone;
    ++rank.done;
    ++x_done;
    // What the network interface does may outlast the rank.
    if (!rank.operations[index].has(traits::kInterface)) {
        rank.finish = later(rank.finish, when);
        x_end = later(x_end, when);
    }
    inform(number, index, when, false);
}

std::uint32_t Replay::new_transfer() {
    if (x_free_transfers.empty()) {
        x_transfers.emplace_back();
        return static_cast<std::uint32_t>(x_transfers.size() - 1);
    }
    const std::uint32_t index = x_free_transfers.back();
    x_free_transfers.pop_back();
    return index;
}

}  // namespace kumi
