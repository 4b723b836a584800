// Which receive gets which message: the queues of a replay.
#include "schedule/replay/replay.hpp"

namespace kumi::schedule {

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
