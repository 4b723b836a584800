#pragma once

#include <cstdint>
#include <vector>

#include "base/rank_torus.hpp"
#include "endpoint/start_jitter.hpp"
#include "endpoint/synchroniser.hpp"
#include "schedule/replay/data/replay_types.hpp"

namespace kumi::schedule {

/// The state of the common starts of a replay's ranks, and what came of them.
class ReplayStarts {
   public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    struct Rank {
        endpoint::Synchroniser synchroniser;
        Instant last{};  ///< Its last common start, when it noticed that.
        /// Operations that wait for a common start, in the order in which they began.
        std::uint32_t first_waiting = kNone, last_waiting = kNone;
        std::uint32_t done = 0;  ///< Number of synchronisations that it has left.
    };

    /// `hosts` has the host of each rank; empty: its number. Ranks synchronise along one dimension
    /// after the other if `sides` are those of a grid of hosts and each of its hosts has one rank,
    /// else all at once.
    ReplayStarts(std::uint32_t ranks, const std::vector<std::uint32_t>& sides,
                 const std::vector<std::uint32_t>& hosts, const endpoint::StartJitter& jitter);

    Rank& operator[](std::uint32_t rank) { return x_ranks[rank]; }
    /// Number of other ranks in each group of a round.
    std::uint32_t others(std::uint32_t round) const { return x_torus.side(round) - 1; }
    /// The rank `distance` further along the line of a round's dimension, around the end.
    std::uint32_t member(std::uint32_t rank, std::uint32_t round, std::uint32_t distance) const;

    /// A rank enters its next synchronisation.
    void note_entry(std::uint32_t rank, Instant when);
    /// It goes on at the common start. Returns when it notices that.
    Instant note_start(std::uint32_t rank, Instant when);
    /// A rank that is ready at `ready` waits until `until`; earlier than that is late.
    void note_wait(Instant ready, Instant until) { x_account.note_wait(ready, until); }
    void note_packet() { ++x_account.totals.packets; }

    const ReplayedStarts& totals() const { return x_account.totals; }

   private:
    RankTorus x_torus;
    std::vector<endpoint::StartCounter> x_counters;
    std::vector<Rank> x_ranks;
    /// Where each rank is in the torus, and the reverse; empty: at its number.
    std::vector<std::uint32_t> x_places, x_rank_at;
    endpoint::StartAccount x_account;
    endpoint::StartJitter x_jitter;
};

}  // namespace kumi::schedule
