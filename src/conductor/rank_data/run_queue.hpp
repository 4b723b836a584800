#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "conductor/rank_data/rank_heap.hpp"

namespace kumi::conductor {

/// A rank that can run at its clock. The rank number breaks ties, so that which rank runs next
/// never depends on anything but the simulation itself.
struct RunnableRank {
    Instant clock;
    std::uint32_t rank;
    bool operator<(const RunnableRank& other) const {
        return clock != other.clock ? clock < other.clock : rank < other.rank;
    }
};

/// The ranks that could run, by (clock, rank).
using RunQueue = RankHeap<RunnableRank>;

/// A rank that could run ahead of its clock.
struct ReadyRank {
    std::uint64_t order = 0;
    std::uint32_t rank = 0;
    /// `ran_last`: when it did, by whatever counts up.
    ReadyRank(std::uint64_t ran_last, bool computes_long, std::uint32_t the_rank)
        : order(computes_long ? ran_last : ~ran_last), rank(the_rank) {}
    ReadyRank() = default;
    bool operator<(const ReadyRank& other) const {
        return order != other.order ? order < other.order : rank < other.rank;
    }
};

/// Those. First the ones that will compute for long, the one first that has waited longest: if none
/// falls behind, most can go on at any time. Then the others, warmest first: the one that ran last,
/// of whose memory most is still in the processor's caches.
using ReadyRanks = RankHeap<ReadyRank>;

}  // namespace kumi::conductor
