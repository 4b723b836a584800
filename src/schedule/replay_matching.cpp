// Which receive gets which message: the queues of a replay.
#include "schedule/replay.hpp"

namespace kumi {

void Replay::append_posted(std::uint32_t rank, std::uint32_t index) {
    const Rank& owner = x_ranks[rank];
    const Operation& what = owner.operations[index];
    x_posted.append(
        rank, {what.peer, what.tag, index},
        [&](std::uint32_t last, std::uint32_t added) { owner.states[last].next = added; });
}

/// The receive that was posted first of those that accept the message.
std::uint32_t Replay::take_posted(const Transfer& transfer, std::uint64_t& searched) {
    const OperationState* states = x_ranks[transfer.target].states;
    return x_posted.take(
        transfer.target, transfer.source, transfer.tag,
        [&](const MatchEntry& receive) {
            return (receive.source == transfer.source || receive.source == kAnyPeer) &&
                   (receive.tag == transfer.tag || receive.tag == kAnyTag);
        },
        [&](std::uint32_t number) { return states[number].next; }, searched);
}

void Replay::append_unexpected(std::uint32_t index) {
    const Transfer& transfer = x_transfers[index];
    ++x_ranks[transfer.target].unexpected;
    x_unexpected.append(
        transfer.target, {transfer.source, transfer.tag, index},
        [&](std::uint32_t last, std::uint32_t added) { x_transfers[last].next = added; });
}

/// The message that arrived first of those that the receive accepts.
std::uint32_t Replay::take_unexpected(std::uint32_t rank, const Operation& receive,
                                      std::uint64_t& searched) {
    const std::uint32_t found = x_unexpected.take(
        rank, receive.peer, receive.tag,
        [&](const MatchEntry& message) {
            return (receive.peer == message.source || receive.peer == kAnyPeer) &&
                   (receive.tag == message.tag || receive.tag == kAnyTag);
        },
        [&](std::uint32_t number) { return x_transfers[number].next; }, searched);
    if (found == kNone) return found;
    --x_ranks[rank].unexpected;
    return found;
}

}  // namespace kumi
