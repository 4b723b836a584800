#include "schedule/replay/replay_starts.hpp"

#include <algorithm>
#include <span>

namespace kumi {
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
                           const std::vector<std::uint32_t>& hosts)
    : x_ranks(ranks) {
    const bool is_grid = fill_grid(ranks, sides, hosts);
    x_groups = endpoint::StartGroups(is_grid ? sides : std::vector<std::uint32_t>{ranks});
    if (is_grid && !hosts.empty()) {
        x_places = hosts;
        x_rank_at.resize(ranks);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) x_rank_at[hosts[rank]] = rank;
    }
    const std::size_t each = std::size_t{2} * x_groups.rounds();
    x_counters.resize(each * ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        x_ranks[rank].synchroniser =
            endpoint::Synchroniser(std::span(x_counters).subspan(rank * each, each));
    }
    x_totals.rounds = x_groups.rounds();
}

std::uint32_t ReplayStarts::member(std::uint32_t rank, std::uint32_t round,
                                   std::uint32_t distance) const {
    if (x_places.empty()) return x_groups.member(rank, round, distance);
    return x_rank_at[x_groups.member(x_places[rank], round, distance)];
}

ReplayStarts::Open& ReplayStarts::open(std::uint32_t number) {
    while (number - x_first_open >= x_open.size()) x_open.emplace_back();
    return x_open[number - x_first_open];
}

void ReplayStarts::note_entry(std::uint32_t rank, Instant when) {
    Open& entered = open(x_ranks[rank].done);
    entered.last_entry = later(entered.last_entry, when);
}

void ReplayStarts::note_start(std::uint32_t number, Instant when) {
    Rank& rank = x_ranks[number];
    rank.last = when;
    Open& left = open(rank.done++);
    left.first_start = earlier(left.first_start, when);
    left.last_start = later(left.last_start, when);
    if (++left.left < x_ranks.size()) return;
    // Ranks leave the synchronisations one after another: this is the first that is open.
    ++x_totals.synchronisations;
    x_totals.time += left.last_start - left.last_entry;
    x_totals.largest_skew = std::max(x_totals.largest_skew, left.last_start - left.first_start);
    x_open.pop_front();
    ++x_first_open;
}

void ReplayStarts::note_wait(Instant ready, Instant until) {
    ++x_totals.waits;
    if (ready <= until) return;
    ++x_totals.missed;
    x_totals.largest_lateness = std::max(x_totals.largest_lateness, ready - until);
}

}  // namespace kumi
