// What happens in a replay when ranks start together, and wait for instants after that.
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "schedule/replay/replay.hpp"

namespace kumi::schedule {

void Replay::synchronise(std::uint32_t number, std::uint32_t index, Instant ready) {
    const Rank& rank = x_ranks[number];
    const Instant begin = later(ready, cpu_free(number, rank.operations[index].cpu));
    inform(number, index, begin, true);
    rank.states[index].ready = begin;
    ReplayStarts::Rank& starts = (*x_starts)[number];
    if (starts.first_waiting != kNone) {
        // It follows the one that is under way.
        rank.states[starts.last_waiting].next = index;
        starts.last_waiting = index;
        return;
    }
    starts.first_waiting = starts.last_waiting = index;
    x_starts->note_entry(number, begin);
    enter_round(number, begin);
    leave_rounds(number);
}

void Replay::enter_round(std::uint32_t rank, Instant when) {
    endpoint::Synchroniser& synchroniser = (*x_starts)[rank].synchroniser;
    const endpoint::Synchroniser::Label label = synchroniser.label();
    const network::HostId from = host_of(rank);
    std::vector<endpoint::StartPacket> packets;
    for (std::uint32_t i = 1; i <= x_starts->others(label.round); ++i) {
        const std::uint32_t target = x_starts->member(rank, label.round, i);
        const network::HostId to = host_of(target);
        if (!x_network->connects(from, to)) throw UnconnectedRanks{rank, target};
        const std::uint64_t size_bytes = bytes_on_links(from, to, x_parameters.start_bytes);
        packets.push_back({.target = target,
                           .latency = x_network->zero_load_time(from, to, size_bytes),
                           .injection = x_network->injection_time(from, to, size_bytes),
                           .stays_on_host = from == to});
    }
    const Duration farthest = endpoint::put_in_order(packets);
    for (const endpoint::StartPacket& packet : packets) {
        const std::uint32_t number = new_transfer();
        Transfer& transfer = x_transfers[number];
        transfer.stage = Transfer::Stage::kStart;
        transfer.traits = 0;
        transfer.by_datagrams = false;
        transfer.source = rank;
        transfer.target = packet.target;
        transfer.tag = label.round << 1 | (label.is_odd ? 1 : 0);
        transfer.size_bytes = static_cast<std::uint64_t>((farthest - packet.latency).ps);
        x_starts->note_packet();
        launch(number, when, true, x_parameters.start_bytes);
    }
    synchroniser.enter(when, farthest, x_parameters.start_rule);
}

void Replay::start_packet_arrived(std::uint32_t number) {
    const Transfer transfer = x_transfers[number];
    x_free_transfers.push_back(number);
    (*x_starts)[transfer.target].synchroniser.hear(
        {transfer.tag >> 1, (transfer.tag & 1) != 0}, transfer.arrived,
        Duration{static_cast<std::int64_t>(transfer.size_bytes)});
    leave_rounds(transfer.target);
    run_ready(transfer.target);
}

/// Goes on with the rank as far as it has heard of all others.
void Replay::leave_rounds(std::uint32_t number) {
    ReplayStarts::Rank& starts = (*x_starts)[number];
    OperationState* const states = x_ranks[number].states;
    for (;;) {
        const auto end =
            starts.synchroniser.leave_round(x_starts->others(starts.synchroniser.label().round));
        if (!end) return;
        if (starts.synchroniser.is_inside()) {
            enter_round(number, *end);
            continue;
        }
        const std::uint32_t index = starts.first_waiting;
        starts.first_waiting = std::exchange(states[index].next, kNone);
        const Instant start = x_starts->note_start(number, *end);
        // Until it notices the start it looks at nothing else.
        occupy(number, x_ranks[number].operations[index], start, {}, conductor::RankState::kWait);
        finish(number, index, start);
        if (starts.first_waiting == kNone) return;
        const Instant next = later(start, states[starts.first_waiting].ready);
        x_starts->note_entry(number, next);
        enter_round(number, next);
    }
}

/// The rank does nothing else meanwhile, as in a run: what arrives is looked at after that.
void Replay::wait_after_start(std::uint32_t rank, std::uint32_t index, Instant ready) {
    const Operation& what = x_ranks[rank].operations[index];
    const Instant begin = later(ready, cpu_free(rank, what.cpu));
    inform(rank, index, begin, true);
    Instant until{};
    if (__builtin_add_overflow((*x_starts)[rank].last.ps, static_cast<std::int64_t>(what.amount),
                               &until.ps)) {
        throw std::overflow_error("rank " + std::to_string(rank) +
                                  ": virtual time has come to its end");
    }
    x_starts->note_wait(begin, until);
    const Instant end = later(begin, until);
    occupy(rank, what, begin, end - begin, conductor::RankState::kSleep);
    finish(rank, index, end);
}

}  // namespace kumi::schedule
