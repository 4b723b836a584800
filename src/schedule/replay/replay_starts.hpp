#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "endpoint/synchroniser.hpp"
#include "schedule/replay/replay_types.hpp"

namespace kumi {

/// The state of the common starts of a replay's ranks, and what came of them.
class ReplayStarts {
   public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    struct Rank {
        endpoint::Synchroniser synchroniser;
        Instant last{};  ///< Its last common start.
        /// Operations that wait for a common start, in the order in which they began.
        std::uint32_t first_waiting = kNone, last_waiting = kNone;
        std::uint32_t done = 0;  ///< Number of synchronisations that it has left.
    };

    /// `hosts` has the host of each rank; empty: its number. Ranks synchronise along one dimension
    /// after the other if `sides` are those of a grid of hosts and each of its hosts has one rank,
    /// else all at once.
    ReplayStarts(std::uint32_t ranks, const std::vector<std::uint32_t>& sides,
                 const std::vector<std::uint32_t>& hosts);

    Rank& operator[](std::uint32_t rank) { return x_ranks[rank]; }
    std::uint32_t others(std::uint32_t round) const { return x_groups.others(round); }
    /// See StartGroups::member.
    std::uint32_t member(std::uint32_t rank, std::uint32_t round, std::uint32_t distance) const;

    /// A rank enters its next synchronisation.
    void note_entry(std::uint32_t rank, Instant when);
    /// It goes on at the common start.
    void note_start(std::uint32_t rank, Instant when);
    /// A rank that is ready at `ready` waits until `until`; earlier than that is late.
    void note_wait(Instant ready, Instant until);
    void note_packet() { ++x_totals.packets; }

    const ReplayedStarts& totals() const { return x_totals; }

   private:
    /// A synchronisation that not all ranks have left.
    struct Open {
        std::uint32_t left = 0;  ///< Number of ranks that have.
        Instant last_entry{};
        Instant first_start = kNever, last_start{};
    };

    Open& open(std::uint32_t number);

    endpoint::StartGroups x_groups;
    std::vector<endpoint::StartCounter> x_counters;
    std::vector<Rank> x_ranks;
    /// Where each rank is in the groups, and the reverse; empty: at its number.
    std::vector<std::uint32_t> x_places, x_rank_at;
    std::deque<Open> x_open;
    std::uint32_t x_first_open = 0;
    ReplayedStarts x_totals;
};

}  // namespace kumi
