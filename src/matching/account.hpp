#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/time/time.hpp"
#include "matching/search.hpp"

namespace kumi::matching {

/// What the searches of one of a rank's two queues did. Plain data; a search of a short queue
/// touches the first cache line only.
struct alignas(64) QueueAccount {
    /// Depths are counted by powers of two: 0, 1, 2 to 3, 4 to 7, ... and the last with all beyond.
    static constexpr std::uint32_t kDepths = 24;

    std::uint64_t searches = 0;
    std::uint64_t found = 0;
    std::uint64_t searched = 0;  ///< Entries; stays 0 where no cost depends on it.
    std::uint64_t deepest = 0;   ///< The most entries that were in the queue at a search.
    Duration spent{};
    std::uint32_t depths[kDepths] = {};  ///< Number of searches by the queue's depth.

    /// A search of a queue with `depth` entries has cost `span`.
    void note(std::uint64_t depth, const Search& search, Duration span) {
        ++searches;
        found += search.found ? 1 : 0;
        searched += search.searched;
        deepest = std::max(deepest, depth);
        spent += span;
        ++depths[std::min<std::uint32_t>(static_cast<std::uint32_t>(std::bit_width(depth)),
                                         kDepths - 1)];
    }
};

/// Time of matching at one rank by the places in its program that asked for the receives. Which
/// place a number stands for, others know; 0 is all the rest.
struct SiteAccount {
    static constexpr std::uint32_t kSites = 64;

    Duration spent[kSites] = {};
};

/// What matching did at one rank, for the result of a run or replay.
struct Account {
    QueueAccount posted;      ///< Searched by messages that arrive.
    QueueAccount unexpected;  ///< Searched by receives and probes.
    /// Time of reading payloads that did not come with their heads. Touched only if that takes any.
    Duration payloads{};

    Duration spent() const { return posted.spent + unexpected.spent + payloads; }
};

}  // namespace kumi::matching
