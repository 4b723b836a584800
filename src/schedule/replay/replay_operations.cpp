// What happens in a replay when operations start and end.
#include <stdexcept>
#include <utility>

#include "endpoint/send.hpp"
#include "schedule/replay/replay.hpp"

namespace kumi::schedule {
namespace {

conductor::RankState state_in(const Operation& compute) {
    if (compute.has(traits::kSoftware)) return conductor::RankState::kCommunication;
    return compute.has(traits::kSleep) ? conductor::RankState::kSleep
                                       : conductor::RankState::kCompute;
}

}  // namespace

void Replay::resume(const engine::Event& resumption) {
    const std::uint32_t number = resumption.key.source_id();
    const auto operation = static_cast<std::uint32_t>(resumption.key.source_sequence);
    x_resumed = resumption.key.time;
    if (operation != kNone) return run_chain(number, {resumption.key.time, operation});
    Rank& rank = x_ranks[number];
    if (x_interfaces != nullptr) {
        // What it did at this time may have made it busy again: then it looks when that is over.
        const bool is_busy = rank.uses_one_cpu && rank.clock > resumption.key.time &&
                             rank.inbox_first != kNone &&
                             x_transfers[rank.inbox_first].stage == Transfer::Stage::kClosing;
        // It takes what its interface has for it before it looks at notices, as a run does.
        look_at_interface(number, resumption.key.time);
        if (is_busy) {
            push_resumption(rank.clock, number, kNone);
            return run_ready(number);
        }
    }
    std::uint32_t next = rank.inbox_first;
    rank.inbox_first = rank.inbox_last = kNone;
    while (next != kNone) {
        const std::uint32_t transfer = next;
        next = x_transfers[transfer].next;
        handle(transfer);
    }
    run_ready(number);
}

/// Starts the operations of a resumption, one after the other. None of them may precede another
/// resumption of this rank at the same time that has come meanwhile.
void Replay::run_chain(std::uint32_t rank, ReadyOperation next) {
    for (;;) {
        OperationState& state = x_ranks[rank].states[next.operation];
        const std::uint32_t behind = std::exchange(state.next, kNone);
        // Its cpu may be busy again.
        if (is_for_interface(x_ranks[rank].operations[next.operation]))
            x_ready.push(next);
        else
            execute(rank, next);
        run_ready(rank);
        if (behind == kNone) return;
        next.operation = behind;
        const engine::Event rest = resumption_event(next.when, rank, behind);
        if (x_next_resumption == next.when &&
            engine::precedes(x_resumptions.top()->key, rest.key)) {
            return push_resumption(next.when, rank, behind);
        }
    }
}

/// What must not hide what arrives until it starts: then it waits for its turn. Else `kAtOnce`,
/// since ranks run ahead of the network.
inline Instant Replay::turn_of(std::uint32_t rank, const ReadyOperation& next) {
    const Operation& what = x_ranks[rank].operations[next.operation];
    const Instant free = cpu_free(rank, what.cpu);
    if (is_for_interface(what)) {
        // It meets what has arrived before.
        const Instant start = what.has(traits::kInterface) ? next.when : later(next.when, free);
        return start <= later(x_network->now(), x_resumed) ? kAtOnce : start;
    }
    // It has waited for a point of time, or for another cpu.
    return next.when > free && next.when > x_network->now() ? next.when : kAtOnce;
}

void Replay::run_ready(std::uint32_t rank) {
    // Those that are early at one time are one resumption, if they come in order.
    ReadyOperation last{kNever, kNone};
    while (!x_ready.empty()) {
        ReadyOperation next = x_ready.pop();
        const Instant turn = turn_of(rank, next);
        if (turn == kAtOnce) {
            execute(rank, next);
            continue;
        }
        next.when = turn;
        if (next.when == last.when && next.operation > last.operation) {
            x_ranks[rank].states[last.operation].next = next.operation;
        } else {
            push_resumption(next.when, rank, next.operation);
        }
        last = next;
    }
}

Instant Replay::occupy(std::uint32_t rank, const Operation& what, Instant ready, Duration span,
                       conductor::RankState state) {
    if (what.has(traits::kInterface)) return ready;
    return occupy(rank, what.cpu, ready, span, state);
}

Instant Replay::occupy(std::uint32_t number, std::uint8_t cpu, Instant ready, Duration span,
                       conductor::RankState state) {
    Instant& free = cpu_free(number, cpu);
    const Instant begin = later(ready, free);
    if (__builtin_add_overflow(begin.ps, span.ps, &free.ps)) {
        throw std::overflow_error("rank " + std::to_string(number) +
                                  ": virtual time has come to its end");
    }
    // What is neither computing nor communication is waiting.
    if (cpu != 0 || state == conductor::RankState::kWait) return begin;
    Rank& rank = x_ranks[number];
    // Only what lies before the limit of time counts.
    Instant counted_begin = begin, counted_end = free;
    if (free > x_parameters.time_limit) {
        counted_begin = earlier(begin, x_parameters.time_limit);
        counted_end = x_parameters.time_limit;
    }
    if (state != conductor::RankState::kSleep)
        (state == conductor::RankState::kCompute ? rank.compute : rank.communication) +=
            counted_end - counted_begin;
    if (x_records != nullptr) x_records->note_state(number, counted_begin, counted_end, state);
    return begin;
}

void Replay::execute(std::uint32_t rank, const ReadyOperation& ready) {
    const std::uint32_t index = ready.operation;
    const Operation& what = x_ranks[rank].operations[index];
    // Ranks run ahead of the network's events.
    if (x_parameters.time_limit != kNever &&
        later(ready.when, cpu_free(rank, what.cpu)) > x_parameters.time_limit) {
        x_was_cut_off = true;
        return;
    }
    x_ranks[rank].states[index].waits_for = OperationState::kStarted;
    switch (what.kind) {
        case OperationKind::kSend:
            return send(rank, index, ready.when);
        case OperationKind::kReceive:
            return post(rank, index, ready.when);
        case OperationKind::kCompute: {
            const Duration span{static_cast<std::int64_t>(what.amount)};
            const Instant begin = occupy(rank, what.cpu, ready.when, span, state_in(what));
            inform(rank, index, begin, true);
            return finish(rank, index, begin + span);
        }
        case OperationKind::kWaitUntil:
            inform(rank, index, ready.when, true);
            return finish(rank, index,
                          later(ready.when, Instant{static_cast<std::int64_t>(what.amount)}));
        case OperationKind::kSynchronise:
            return synchronise(rank, index, ready.when);
        case OperationKind::kWaitAfter:
            return wait_after_start(rank, index, ready.when);
        case OperationKind::kHint:
            take_hint(rank, what.as_hint(), ready.when);
            inform(rank, index, ready.when, true);
            return finish(rank, index, ready.when);
    }
}

void Replay::take_hint(std::uint32_t rank, endpoint::service::Hint hint, Instant ready) {
    if (hint.key == endpoint::service::HintKey::kEager) {
        if (x_eager_limits.empty())
            x_eager_limits.assign(x_schedule.ranks(), x_parameters.endpoint.eager_limit_bytes);
        x_eager_limits[rank] = std::max(x_parameters.endpoint.eager_limit_bytes, hint.size_bytes());
    }
    if (x_services != nullptr) x_services->take_hint(rank, hint, later(ready, x_ranks[rank].clock));
}

void Replay::send(std::uint32_t rank, std::uint32_t index, Instant ready) {
    const Operation& what = x_ranks[rank].operations[index];
    const bool is_bare = what.has(traits::kBare);
    const Duration overhead = is_bare ? Duration{} : x_parameters.endpoint.send_overhead;
    const Instant begin = occupy(rank, what, ready, overhead, conductor::RankState::kCommunication);
    Instant end = begin + overhead;
    const std::uint32_t number = new_transfer();
    Transfer& transfer = x_transfers[number];
    transfer.size_bytes = what.amount;
    transfer.source = rank;
    transfer.target = what.peer;
    transfer.tag = what.tag;
    transfer.send = index;
    transfer.traits = what.traits;
    if (what.has(traits::kApproximate)) [[unlikely]]
        allow_errors(transfer, what);
    // Bare messages are recorded as the network had them, requests to send included.
    const endpoint::Departure departure(x_parameters.endpoint, what.amount,
                                        is_bare ? what.amount : eager_limit(rank));
    const bool is_eager = !departure.is_requested;
    transfer.stage = is_eager ? Transfer::Stage::kEager : Transfer::Stage::kRequest;
    transfer.by_datagrams = false;
    if (needs_service(transfer)) [[unlikely]] {
        end = use_service(number, what, end);
    } else {
        launch(number, end, true, departure.envelope_bytes);
    }
    inform(rank, index, begin, true);
    if (is_eager) finish(rank, index, end);
}

void Replay::allow_errors(Transfer& transfer, const Operation& what) {
    transfer.ordinal = x_errors->next_ordinal(transfer.source, what);
    if (!x_errors->send(*x_network, approximate(transfer)))
        transfer.traits &= static_cast<std::uint8_t>(~traits::kApproximate);
}

/// Closes connections if there has to be room for one to the target. Transfers may move.
void Replay::close_for(std::uint32_t rank, std::uint32_t target, Instant when) {
    for (const ReplayServices::Closing& closing : x_services->make_room(rank, target)) {
        const std::uint32_t number = new_transfer();
        Transfer& notice = x_transfers[number];
        notice.stage = Transfer::Stage::kClosing;
        notice.traits = 0;
        notice.by_datagrams = false;
        notice.source = rank;
        notice.target = closing.target;
        notice.tag = closing.generation;
        launch(number, when, true, x_parameters.endpoint.control_bytes);
    }
}

/// The rank looks at a notice. One that has ended keeps what it had.
void Replay::hear_closing(std::uint32_t number) {
    const Transfer& notice = x_transfers[number];
    const Rank& rank = x_ranks[notice.target];
    if (rank.done < rank.count)
        x_services->hear_closing(notice.target, notice.source, later(notice.arrived, rank.clock),
                                 notice.tag);
    x_free_transfers.push_back(number);
}

/// Sends an envelope by a connection or by datagrams. Returns when the rank has done its part.
Instant Replay::use_service(std::uint32_t number, const Operation& what, Instant when) {
    x_services->begin_step(x_transfers[number].source);
    close_for(x_transfers[number].source, x_transfers[number].target, when);
    Transfer& transfer = x_transfers[number];
    const bool is_request = transfer.stage == Transfer::Stage::kRequest;
    const std::uint64_t size_bytes =
        is_request ? x_parameters.endpoint.control_bytes : transfer.size_bytes;
    const endpoint::service::Departure departure =
        x_services->depart(transfer.source, transfer.target,
                           {.at = when,
                            .size_bytes = size_bytes,
                            .fetched_bytes = is_request ? transfer.size_bytes : 0,
                            .is_request = is_request});
    transfer.by_datagrams = departure.by_datagrams;
    x_services->note_generation(number, departure.generation);
    const Duration work = departure.before + departure.after;
    occupy(transfer.source, what, when, work, conductor::RankState::kCommunication);
    launch(number, departure.leaves, true, size_bytes);
    return when + work;
}

void Replay::post(std::uint32_t rank, std::uint32_t index, Instant ready) {
    inform(rank, index, ready, true);
    const Operation& what = x_ranks[rank].operations[index];
    if (is_for_interface(what)) {
        const bool waits = !what.has(traits::kInterface);
        return post_to_interface(rank, index,
                                 waits ? later(ready, cpu_free(rank, what.cpu)) : ready);
    }
    matching::Search search;
    const std::uint32_t depth = x_ranks[rank].unexpected;
    if (x_ranks[rank].unexpected > 0) search = take_unexpected(rank, what);
    const Duration cost =
        what.has(traits::kBare) ? Duration{} : x_parameters.endpoint.matching.of_receive(search);
    if (!x_accounts.empty()) x_accounts[rank].unexpected.note(depth, search, cost);
    Instant begin = ready;
    if (search.found || cost.ps > 0)
        begin = occupy(rank, what, ready, cost, conductor::RankState::kCommunication);
    if (!search.found) append_posted(rank, index);
    note_depths(rank, begin + cost);
    if (search.found) match(search.id, index, begin + cost);
}

void Replay::inform(std::uint32_t number, std::uint32_t index, Instant when, bool on_start) {
    const Rank& rank = x_ranks[number];
    if (on_start && !rank.has_waits_for_starts) return;
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

}  // namespace kumi::schedule
