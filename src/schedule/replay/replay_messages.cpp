// What happens in a replay when messages leave and arrive.
// Which receive gets which message: the queues of a replay.

#include <algorithm>
#include <utility>

#include "base/memory/prefetch.hpp"
#include "schedule/replay/replay.hpp"

namespace kumi::schedule {

void Replay::arrived(Instant when, std::uint64_t cookie) {
    const auto number = static_cast<std::uint32_t>(cookie);
    Transfer& transfer = x_transfers[number];
    transfer.arrived = when;
    count_arrival(transfer);
    if (transfer.stage == Transfer::Stage::kStart) return start_packet_arrived(number);
    if (transfer.stage == Transfer::Stage::kFetch) {
        // The sender's interface answers by itself.
        transfer.stage = Transfer::Stage::kData;
        return launch(number, when, true, transfer.size_bytes);
    }
    const bool is_closing = transfer.stage == Transfer::Stage::kClosing;
    if (x_interfaces != nullptr && !transfer.has(traits::kBare) && !is_closing)
        return arrived_at_interface(number);
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
        push_resumption(owner.clock, rank, kNone);
    } else {
        x_transfers[owner.inbox_last].next = number;
    }
    owner.inbox_last = number;
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
        case Transfer::Stage::kClosing:
            return hear_closing(number);
        case Transfer::Stage::kFetch:
        case Transfer::Stage::kStart:
            return;
    }
}

void Replay::envelope_arrived(std::uint32_t number) {
    const Transfer& transfer = x_transfers[number];
    const std::uint32_t rank = transfer.target;
    if (needs_service(transfer) && !transfer.by_datagrams)
        x_services->accept(rank, transfer.source, later(transfer.arrived, x_ranks[rank].clock),
                           x_services->generation_of(number));
    const std::uint32_t depth = x_posted[rank].size();
    const matching::Search search = take_posted(transfer);
    const Duration cost = transfer.has(traits::kBare)
                              ? Duration{}
                              : x_parameters.endpoint.matching.of_arrival(search);
    if (!x_accounts.empty()) x_accounts[rank].posted.note(depth, search, cost);
    if (!search.found) {
        const Instant looks = later(transfer.arrived, cpu_free(rank, 0));
        if (cost.ps > 0)
            occupy(rank, 0, transfer.arrived, cost, conductor::RankState::kCommunication);
        append_unexpected(number);
        return note_depths(rank, looks + cost);
    }
    const Instant begin = occupy(rank, x_ranks[rank].operations[search.id], transfer.arrived, cost,
                                 conductor::RankState::kCommunication);
    note_depths(rank, begin + cost);
    match(number, search.id, begin + cost);
}

/// A receive gets a message, `when` that is found. Returns whether it is there whole; else its data
/// are asked for.
bool Replay::has_whole(std::uint32_t number, std::uint32_t receive, Instant when) {
    Transfer& transfer = x_transfers[number];
    check_room(transfer, receive);
    transfer.receive = receive;
    if (transfer.stage == Transfer::Stage::kRequest) {
        transfer.stage = Transfer::Stage::kFetch;
        launch(number, when, false, x_parameters.endpoint.control_bytes);
        return false;
    }
    receive_errors(transfer);
    return true;
}

void Replay::match(std::uint32_t number, std::uint32_t receive, Instant clock) {
    if (!has_whole(number, receive, clock)) return;
    const Transfer& transfer = x_transfers[number];
    const std::uint32_t rank = transfer.target;
    const bool is_bare = transfer.has(traits::kBare);
    const Duration reading =
        is_bare ? Duration{} : x_parameters.endpoint.matching.of_payload(transfer.size_bytes);
    if (reading.ps > 0 && !x_accounts.empty()) x_accounts[rank].payloads += reading;
    const Duration overhead =
        is_bare ? Duration{}
                : reading + x_parameters.endpoint.receive_overhead + collect_datagrams(transfer);
    const Instant begin = occupy(rank, x_ranks[rank].operations[receive], clock, overhead,
                                 conductor::RankState::kCommunication);
    x_free_transfers.push_back(number);
    finish(rank, receive, begin + overhead);
}

/// For how long the target of a message that has come works on its datagrams.
Duration Replay::collect_datagrams(const Transfer& transfer) {
    if (!transfer.by_datagrams) return {};
    return x_services->collect(transfer.target, transfer.size_bytes,
                               /*was_requested=*/transfer.stage == Transfer::Stage::kData);
}

void Replay::check_room(const Transfer& transfer, std::uint32_t receive) {
    const std::uint64_t room_bytes = x_ranks[transfer.target].operations[receive].amount;
    if (transfer.size_bytes <= room_bytes || transfer.has(traits::kBare)) return;
    ++x_truncated_count;
    if (x_parameters.allows_truncation) return;
    // Seldom enough for an exception, as a message without a path.
    throw TruncatedMessage{transfer.source, transfer.send,       transfer.target,
                           receive,         transfer.size_bytes, room_bytes};
}

/// What a message is to ReplayErrors if its send is approximate.
ApproximateMessage Replay::approximate(const Transfer& transfer) const {
    return {.source = transfer.source,
            .target = transfer.target,
            .source_host = host_of(transfer.source),
            .target_host = host_of(transfer.target),
            .size_bytes = transfer.size_bytes,
            .content = x_ranks[transfer.source].operations[transfer.send].content(),
            .ordinal = transfer.ordinal};
}

/// The target of a message gets its payload.
void Replay::receive_errors(const Transfer& transfer) {
    if (transfer.has(traits::kApproximate)) [[unlikely]]
        x_errors->receive(*x_network, approximate(transfer));
}

void Replay::data_arrived(std::uint32_t number) {
    Transfer& transfer = x_transfers[number];
    receive_errors(transfer);
    const std::uint32_t rank = transfer.target;
    const Duration overhead = x_parameters.endpoint.receive_overhead + collect_datagrams(transfer);
    const Instant begin = occupy(rank, x_ranks[rank].operations[transfer.receive].cpu,
                                 transfer.arrived, overhead, conductor::RankState::kCommunication);
    const Instant end = begin + overhead;
    transfer.stage = Transfer::Stage::kFinished;
    launch(number, end, false, x_parameters.endpoint.control_bytes);
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
    // An interface that matches also asks for data and says that they came.
    const bool by_interface =
        transfer.is_by_interface() || (x_interfaces != nullptr && !from_source);
    transfer.sequence =
        by_interface ? conductor::kFirstAnswer + sender.next_answer++ : sender.next_sequence++;
    const network::HostId source = host_of(from);
    const network::HostId target = host_of(to);
    if (x_errors != nullptr) [[unlikely]]
        size_bytes = bytes_with_errors(transfer, source, target, size_bytes);
    const bool is_on_its_way =
        x_network->inject(when, source, target, size_bytes, from, transfer.sequence, number);
    // Seldom enough for an exception, which costs nothing where it does not happen.
    if (!is_on_its_way) throw UnconnectedRanks{from, to};
}

/// What a message takes on the way between these hosts, in a replay in which some allow errors.
std::uint64_t Replay::bytes_with_errors(const Transfer& transfer, network::HostId from,
                                        network::HostId to, std::uint64_t size_bytes) const {
    if (transfer.carries_data() && transfer.has(traits::kApproximate))
        return x_errors->payload_bytes_on_links(*x_network, approximate(transfer));
    return x_errors->bytes_on_links(*x_network, from, to, size_bytes);
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
    const bool is_start = transfer.stage == Transfer::Stage::kStart;
    const bool from_source = is_bare || is_data || is_start ||
                             transfer.stage == Transfer::Stage::kRequest ||
                             transfer.stage == Transfer::Stage::kClosing;
    const std::uint32_t from = from_source ? transfer.source : transfer.target;
    const std::uint32_t to = from_source ? transfer.target : transfer.source;
    const std::uint64_t size_bytes = is_start             ? x_parameters.start_bytes
                                     : is_data || is_bare ? transfer.size_bytes
                                                          : x_parameters.endpoint.control_bytes;
    const conductor::MessageKind kind = !is_data ? conductor::MessageKind::kControl
                                        : transfer.is_by_interface()
                                            ? conductor::MessageKind::kRendezvous
                                            : conductor::MessageKind::kEager;
    const network::Network::Arrival& arrival = x_network->arrival();
    x_records->note(conductor::MessageRecord{
        .sequence = transfer.sequence,
        .source = from,
        .target = to,
        .size_bytes = size_bytes,
        .sent_ps = transfer.sent.ps,
        .arrived_ps = transfer.arrived.ps,
        .zero_load_ps = arrival.zero_load.ps,
        .tag = is_data ? transfer.tag : 0,
        .kind = static_cast<std::uint8_t>(kind),
        .credit_wait_ps = conductor::credit_wait_on_record(arrival.credit_wait)});
}

std::vector<UnreceivedMessage> Replay::unreceived_messages() const {
    std::vector<bool> is_over(x_transfers.size());
    for (const std::uint32_t number : x_free_transfers) is_over[number] = true;
    std::vector<UnreceivedMessage> messages;
    for (std::size_t number = 0; number < x_transfers.size(); ++number) {
        const Transfer& transfer = x_transfers[number];
        const bool is_start = transfer.stage == Transfer::Stage::kStart;
        const bool is_closing = transfer.stage == Transfer::Stage::kClosing;
        if (is_over[number] || is_start || is_closing || transfer.has(traits::kBare)) continue;
        messages.push_back(
            {transfer.source, transfer.send, transfer.target, transfer.tag, transfer.size_bytes});
    }
    std::sort(messages.begin(), messages.end(), [](const auto& one, const auto& other) {
        return std::pair{one.source, one.send} < std::pair{other.source, other.send};
    });
    return messages;
}

std::uint32_t Replay::new_transfer() {
    if (x_free_transfers.empty()) {
        x_transfers.emplace_back();
        return static_cast<std::uint32_t>(x_transfers.size() - 1);
    }
    const std::uint32_t index = x_free_transfers.back();
    x_free_transfers.pop_back();
    // As in a Pool.
    constexpr std::size_t kAhead = 6;
    if (x_free_transfers.size() >= kAhead) {
        prefetch_line(&x_transfers[x_free_transfers[x_free_transfers.size() - kAhead]]);
    }
    return index;
}

void Replay::append_posted(std::uint32_t rank, std::uint32_t index) {
    const Operation& what = x_ranks[rank].operations[index];
    x_posted[rank].append(x_memory.arena(), {what.peer, what.tag, index});
}

/// The receive that was posted first of those that accept the message.
matching::Search Replay::take_posted(const Transfer& transfer) {
    return x_posted[transfer.target].take(x_memory.arena(), {transfer.source, transfer.tag},
                                          x_parameters.endpoint.matching.counting());
}

void Replay::append_unexpected(std::uint32_t index) {
    const Transfer& transfer = x_transfers[index];
    ++x_ranks[transfer.target].unexpected;
    x_unexpected[transfer.target].append(x_memory.arena(), {transfer.source, transfer.tag, index});
}

/// The message that arrived first of those that the receive accepts.
matching::Search Replay::take_unexpected(std::uint32_t rank, const Operation& receive) {
    const matching::Pattern pattern{receive.peer, receive.tag, ReplayPosted::ignored(receive.tag)};
    const matching::Search search = x_unexpected[rank].take(
        x_memory.arena(), pattern, x_parameters.endpoint.matching.counting());
    if (!search.found) return search;
    --x_ranks[rank].unexpected;
    return search;
}

}  // namespace kumi::schedule
