#include "schedule/replay/features/replay_starts.hpp"

#include <span>

namespace kumi::schedule {
namespace {

/// Whether each host of a grid of these sides has one rank.
bool fill_grid(std::uint32_t ranks, const std::vector<std::uint32_t>& sides,
               const std::vector<std::uint32_t>& hosts) {
    std::uint64_t points = 1;
    for (const std::uint32_t side : sides) {
        points *= side;
        if (points > ranks) return false;
    }
    if (sides.empty() || points != ranks) return false;
    std::vector<bool> has_rank(ranks);
    for (const std::uint32_t host : hosts) {
        if (host >= ranks || has_rank[host]) return false;
        has_rank[host] = true;
    }
    return true;
}

}  // namespace

ReplayStarts::ReplayStarts(std::uint32_t ranks, const std::vector<std::uint32_t>& sides,
                           const std::vector<std::uint32_t>& hosts,
                           const endpoint::StartJitter& jitter)
    : x_ranks(ranks), x_jitter(jitter) {
    const bool is_grid = fill_grid(ranks, sides, hosts);
    x_torus = RankTorus(is_grid ? sides : std::vector<std::uint32_t>{ranks});
    if (is_grid && !hosts.empty()) {
        x_places = hosts;
        x_rank_at.resize(ranks);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) x_rank_at[hosts[rank]] = rank;
    }
    const std::size_t each = std::size_t{2} * x_torus.dimensions();
    x_counters.resize(each * ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        x_ranks[rank].synchroniser =
            endpoint::Synchroniser(std::span(x_counters).subspan(rank * each, each));
    }
    x_account.totals.rounds = static_cast<std::uint32_t>(x_torus.dimensions());
}

std::uint32_t ReplayStarts::member(std::uint32_t rank, std::uint32_t round,
                                   std::uint32_t distance) const {
    if (x_places.empty()) return x_torus.moved(rank, round, distance);
    return x_rank_at[x_torus.moved(x_places[rank], round, distance)];
}

void ReplayStarts::note_entry(std::uint32_t rank, Instant when) {
    x_account.note_entry(x_ranks[rank].done % 2 != 0, when);
}

Instant ReplayStarts::note_start(std::uint32_t number, Instant when) {
    Rank& rank = x_ranks[number];
    rank.last = when + x_jitter.error(number, rank.done);
    x_account.note_start(rank.done++ % 2 != 0, static_cast<std::uint32_t>(x_ranks.size()),
                         rank.last);
    return rank.last;
}

}  // namespace kumi::schedule
