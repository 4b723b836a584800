// What happens in a replay where network interfaces match messages, in parallel with the ranks.
#include "schedule/replay/replay.hpp"

namespace kumi::schedule {

void Replay::arrived_at_interface(std::uint32_t number) {
    Transfer& transfer = x_transfers[number];
    const Instant when = transfer.arrived;
    if (transfer.stage == Transfer::Stage::kFinished) {
        const std::uint32_t rank = transfer.source;
        x_interfaces->deliver(rank, {.at = when, .operation = transfer.send},
                              endpoint::Delivery::kArrived);
        x_free_transfers.push_back(number);
        return look_in_time(rank);
    }
    const std::uint32_t rank = transfer.target;
    if (transfer.stage == Transfer::Stage::kData) {
        receive_errors(transfer);
        x_interfaces->deliver(rank, received(number, when), endpoint::Delivery::kArrived);
        transfer.stage = Transfer::Stage::kFinished;
        launch(number, when, false, x_parameters.endpoint.control_bytes);
        return look_in_time(rank);
    }
    const std::uint32_t depth = x_posted[rank].size();
    const matching::Search search = take_posted(transfer);
    const Duration cost = x_parameters.endpoint.matching.of_arrival(search);
    if (!x_accounts.empty()) x_accounts[rank].posted.note(depth, search, cost);
    const Instant end = x_interfaces->work(rank, when, cost);
    if (!search.found) append_unexpected(number);
    note_depths(rank, end);
    if (search.found) match_by_interface(number, search.id, end);
}

void Replay::post_to_interface(std::uint32_t rank, std::uint32_t index, Instant when) {
    const Operation& what = x_ranks[rank].operations[index];
    matching::Search search;
    const std::uint32_t depth = x_ranks[rank].unexpected;
    if (depth > 0) search = take_unexpected(rank, what);
    const Duration cost = x_parameters.endpoint.matching.of_receive(search);
    if (!x_accounts.empty()) x_accounts[rank].unexpected.note(depth, search, cost);
    const Instant end = x_interfaces->work(rank, when, cost);
    if (!search.found) append_posted(rank, index);
    note_depths(rank, end);
    if (search.found) match_by_interface(search.id, index, end);
}

void Replay::match_by_interface(std::uint32_t number, std::uint32_t receive, Instant when) {
    if (!has_whole(number, receive, when)) return;
    const Transfer& transfer = x_transfers[number];
    const std::uint32_t rank = transfer.target;
    const Duration reading = x_parameters.endpoint.matching.of_payload(transfer.size_bytes);
    if (reading.ps > 0 && !x_accounts.empty()) x_accounts[rank].payloads += reading;
    const Instant end = x_interfaces->work(rank, when, reading);
    x_interfaces->deliver(rank, received(number, end), endpoint::Delivery::kMatched);
    x_free_transfers.push_back(number);
    look_in_time(rank);
}

ReplayInterfaces::Ended Replay::received(std::uint32_t number, Instant when) const {
    const Transfer& transfer = x_transfers[number];
    const bool uses_service = needs_service(transfer);
    return {.at = when,
            .size_bytes = transfer.size_bytes,
            .operation = transfer.receive,
            .source = transfer.source,
            .generation = uses_service ? x_services->generation_of(number) : 0,
            .is_receive = true,
            .needs_service = uses_service,
            .by_datagrams = transfer.by_datagrams,
            .was_requested = transfer.stage == Transfer::Stage::kData};
}

/// The rank looks as soon as there is something to take and it has nothing else to do.
void Replay::look_in_time(std::uint32_t rank) {
    Instant when = x_interfaces->next_at(rank);
    if (x_ranks[rank].uses_one_cpu) when = later(when, x_ranks[rank].clock);
    Instant& looks_at = x_interfaces->looks_at(rank);
    if (when >= looks_at) return;
    looks_at = when;
    push_resumption(when, rank, kNone);
}

/// The rank takes what has ended by now, unless it is busy: then it looks again afterwards.
void Replay::look_at_interface(std::uint32_t rank, Instant now) {
    if (x_interfaces->looks_at(rank) <= now) x_interfaces->looks_at(rank) = kNever;
    if (!x_ranks[rank].uses_one_cpu || x_ranks[rank].clock <= now) {
        while (x_interfaces->next_at(rank) <= now) take_delivery(rank, x_interfaces->take(rank));
    }
    if (x_interfaces->next_at(rank) != kNever) look_in_time(rank);
}

void Replay::take_delivery(std::uint32_t rank, const ReplayInterfaces::Ended& ended) {
    const std::uint8_t cpu = x_ranks[rank].operations[ended.operation].cpu;
    const Instant begin = later(ended.at, cpu_free(rank, cpu));
    if (!ended.is_receive) return finish(rank, ended.operation, begin);
    Duration overhead = x_parameters.endpoint.receive_overhead;
    if (ended.needs_service && !ended.by_datagrams)
        x_services->accept(rank, ended.source, begin, ended.generation);
    if (ended.by_datagrams)
        overhead += x_services->collect(rank, ended.size_bytes, ended.was_requested);
    occupy(rank, cpu, ended.at, overhead, conductor::RankState::kCommunication);
    finish(rank, ended.operation, begin + overhead);
}

}  // namespace kumi::schedule
