#pragma once

#include <algorithm>
#include <cstdint>

#include "base/time/time.hpp"

namespace kumi::endpoint {

/// Common starts of ranks, and waits until times after them.
struct StartTotals {
    std::uint32_t rounds = 0;            ///< Of each synchronisation.
    std::uint64_t synchronisations = 0;  ///< Those that all ranks have left.
    std::uint64_t packets = 0;           ///< Sent for that by all ranks.
    /// From the last rank that entered to the last that started, of all synchronisations together.
    Duration time{};
    Duration largest_skew{};  ///< Between the first and the last rank to start.
    std::uint64_t waits = 0;  ///< Until times after common starts, of all ranks.
    /// Waits that began after their instant: what the rank had to do before took too long.
    std::uint64_t missed = 0;
    Duration largest_lateness{};
};

/// What comes of the common starts of one group of ranks. Plain data: it may lie in a segment.
///
/// A rank that leaves a synchronisation has heard of all others that they are in it, so that no
/// more than two are open at any time: one bit of their number distinguishes them.
class StartAccount {
   public:
    /// A rank enters its next synchronisation.
    void note_entry(bool is_odd, Instant when) {
        Open& entered = x_open[is_odd ? 1 : 0];
        entered.last_entry = later(entered.last_entry, when);
    }
    /// It goes on at the common start; the group has `ranks`.
    void note_start(bool is_odd, std::uint32_t ranks, Instant when) {
        Open& left = x_open[is_odd ? 1 : 0];
        left.first_start = earlier(left.first_start, when);
        left.last_start = later(left.last_start, when);
        if (++left.ranks < ranks) return;
        ++totals.synchronisations;
        totals.time += left.last_start - left.last_entry;
        totals.largest_skew = std::max(totals.largest_skew, left.last_start - left.first_start);
        left = {};
    }
    /// A rank that is ready at `ready` waits until `until`; earlier than that is late.
    void note_wait(Instant ready, Instant until) {
        ++totals.waits;
        if (ready <= until) return;
        ++totals.missed;
        totals.largest_lateness = std::max(totals.largest_lateness, ready - until);
    }

    StartTotals totals;

   private:
    /// A synchronisation that not all ranks have left.
    struct Open {
        std::uint32_t ranks = 0;  ///< Number of those that have.
        Instant last_entry{};
        Instant first_start = kNever, last_start{};
    };

    Open x_open[2];
};

}  // namespace kumi::endpoint
