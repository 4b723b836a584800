#include "collectives/torus/rank_box.hpp"

#include <algorithm>

namespace kumi::collectives {
namespace {

/// Coordinates along one side that follow each other.
struct Run {
    std::uint32_t first = 0;
    std::uint32_t length = 0;
};

/// The run of those coordinates that are used; nothing if there are gaps.
std::optional<Run> run_of(const std::vector<bool>& is_used, bool is_ring) {
    const auto side = static_cast<std::uint32_t>(is_used.size());
    const auto length = static_cast<std::uint32_t>(std::ranges::count(is_used, true));
    if (length == side) return Run{0, side};
    const auto begins = [&](std::uint32_t at) {
        const bool has_one_before = at > 0 ? is_used[at - 1] : is_ring && is_used[side - 1];
        return is_used[at] && !has_one_before;
    };
    std::optional<Run> found;
    for (std::uint32_t at = 0; at < side; ++at) {
        if (!begins(at)) continue;
        if (found) return std::nullopt;
        found = Run{at, length};
    }
    return found;
}

}  // namespace

bool RankBox::is_for_suh_shin() const {
    if (sides.size() < 2) return false;
    for (std::size_t dimension = 0; dimension < sides.size(); ++dimension) {
        if (sides[dimension] % 4 != 0) return false;
        if (sides[dimension] > 4 && !is_ring[dimension]) return false;
    }
    return true;
}

std::optional<RankBox> find_box(std::span<const std::uint32_t> hosts, const HostGrid& grid) {
    std::uint64_t all_hosts = grid.sides.empty() ? 0 : 1;
    for (const std::uint32_t side : grid.sides) all_hosts *= side;
    std::vector<std::vector<bool>> is_used;
    for (const std::uint32_t side : grid.sides) is_used.emplace_back(side);
    for (std::uint32_t host : hosts) {
        if (host >= all_hosts) return std::nullopt;
        for (std::size_t dimension = 0; dimension < grid.sides.size(); ++dimension) {
            is_used[dimension][host % grid.sides[dimension]] = true;
            host /= grid.sides[dimension];
        }
    }
    RankBox box;
    std::vector<Run> runs;
    std::uint64_t points = 1;
    for (std::size_t dimension = 0; dimension < grid.sides.size(); ++dimension) {
        const auto run = run_of(is_used[dimension], grid.is_torus);
        if (!run) return std::nullopt;
        runs.push_back(*run);
        points *= run->length;
        if (run->length == 1) continue;
        box.sides.push_back(run->length);
        box.is_ring.push_back(grid.is_torus && run->length == grid.sides[dimension]);
    }
    if (points != hosts.size()) return std::nullopt;
    std::vector<bool> is_taken(hosts.size());
    for (std::uint32_t host : hosts) {
        std::uint32_t place = 0, stride = 1;
        for (std::size_t dimension = 0; dimension < grid.sides.size(); ++dimension) {
            const std::uint32_t side = grid.sides[dimension];
            place += (host % side + side - runs[dimension].first) % side * stride;
            stride *= runs[dimension].length;
            host /= side;
        }
        if (is_taken[place]) return std::nullopt;
        is_taken[place] = true;
        box.place_of.push_back(place);
    }
    return box;
}

}  // namespace kumi::collectives
