// Which receive gets which message: the queues of a replay.
#include <algorithm>

#include "schedule/replay.hpp"

namespace kumi {
namespace {

bool accepts(const Operation& receive, const MatchKey& message) {
    return (receive.peer == kAnyPeer || receive.peer == message.source) &&
           (receive.tag == kAnyTag || receive.tag == message.tag);
}

bool is_wildcard(const Operation& receive) {
    return receive.peer == kAnyPeer || receive.tag == kAnyTag;
}

}  // namespace

void Replay::append_posted(std::uint32_t rank, std::uint32_t index) {
    const Operation& what = operation(rank, index);
    Rank& owner = x_ranks[rank];
    x_counters[number(rank, index)] = owner.next_post++;
    if (is_wildcard(what)) ++owner.posted_wildcards;
    if (x_counts_places) x_posted_order[rank].push_back(x_counters[number(rank, index)]);
    x_posted.append(
        {rank, what.peer, what.tag}, index,
        [&](std::uint32_t last, std::uint32_t added) { x_next[number(rank, last)] = added; });
}

/// The receive that was posted first of those that accept the message. They are in one queue if
/// they name source and tag, or in three others.
std::uint32_t Replay::find_posted(const Transfer& transfer, std::uint64_t& searched) {
    const std::uint32_t rank = transfer.target;
    std::uint32_t found = x_posted.first(transfer.key());
    if (x_ranks[rank].posted_wildcards > 0) {
        for (const MatchKey& key :
             {MatchKey{rank, transfer.source, kAnyTag}, MatchKey{rank, kAnyPeer, transfer.tag},
              MatchKey{rank, kAnyPeer, kAnyTag}}) {
            const std::uint32_t other = x_posted.first(key);
            if (other == MatchTable::kNone) continue;
            if (found == MatchTable::kNone ||
                x_counters[number(rank, other)] < x_counters[number(rank, found)]) {
                found = other;
            }
        }
    }
    if (found == MatchTable::kNone) {
        if (x_counts_places) searched += x_posted_order[rank].size();
        return found;
    }
    const Operation& what = operation(rank, found);
    if (is_wildcard(what)) --x_ranks[rank].posted_wildcards;
    if (x_counts_places) {
        auto& order = x_posted_order[rank];
        const auto place =
            std::lower_bound(order.begin(), order.end(), x_counters[number(rank, found)]);
        searched += static_cast<std::uint64_t>(place - order.begin()) + 1;
        order.erase(place);
    }
    x_posted.remove_first({rank, what.peer, what.tag}, x_next[number(rank, found)]);
    return found;
}

void Replay::append_unexpected(std::uint32_t index) {
    const Transfer& transfer = x_transfers[index];
    ++x_ranks[transfer.target].unexpected;
    ++x_unexpected_count;
    if (x_orders_unexpected) x_unexpected_order[transfer.target].push_back(index);
    x_unexpected.append(transfer.key(), index, [&](std::uint32_t last, std::uint32_t added) {
        x_transfers[last].next = added;
    });
}

/// The message that arrived first of those that the receive accepts. It is the first of its own
/// queue too.
std::uint32_t Replay::find_unexpected(std::uint32_t rank, const Operation& receive,
                                      std::uint64_t& searched) {
    if (!is_wildcard(receive) && !x_counts_places) {
        return x_unexpected.first({rank, receive.peer, receive.tag});
    }
    for (const std::uint32_t index : x_unexpected_order[rank]) {
        ++searched;
        if (accepts(receive, x_transfers[index].key())) return index;
    }
    return MatchTable::kNone;
}

void Replay::remove_unexpected(std::uint32_t index) {
    const Transfer& transfer = x_transfers[index];
    --x_ranks[transfer.target].unexpected;
    --x_unexpected_count;
    if (x_orders_unexpected) {
        auto& order = x_unexpected_order[transfer.target];
        order.erase(std::find(order.begin(), order.end(), index));
    }
    x_unexpected.remove_first(transfer.key(), transfer.next);
}

}  // namespace kumi
