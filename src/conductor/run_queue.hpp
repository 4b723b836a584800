#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "conductor/rank_heap.hpp"

namespace kumi {

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
    std::uint64_t ran_last = 0;  ///< When it did, by whatever counts up.
    std::uint32_t rank = 0;
    bool operator<(const ReadyRank& other) const {
        return ran_last != other.ran_last ? ran_last > other.ran_last : rank > other.rank;
    }
};

/// Those, warmest first: the one that ran last, of whose memory most is still in the processor's
/// caches.
using ReadyRanks = RankHeap<ReadyRank>;

}  // namespace kumi
