#pragma once

#include <bit>
#include <cstdint>

#include "collectives/rank_program.hpp"

namespace kumi::collectives {

/// How far a rank is behind `root`, around the end.
inline std::uint32_t position_behind(const RankProgram& program, std::uint32_t root) {
    return (program.rank() + program.ranks() - root) % program.ranks();
}

/// An edge of a binomial tree, as the rank at one end of it sees it.
struct TreeEdge {
    std::uint32_t peer = 0;
    bool is_receive = false;           ///< From the parent, else to a child.
    std::uint32_t first = 0, end = 0;  ///< Positions below the edge; `end` may lie beyond the last.
};

/// Calls `edge(TreeEdge)` for the parent, and after it, in a step of their own, for the children,
/// the one with the most below it first. The position of a rank is its distance behind the root;
/// that of its parent has the lowest bit cleared.
template <class Edge>
void binomial_tree(RankProgram& program, std::uint32_t root, Edge&& edge) {
    const std::uint32_t ranks = program.ranks();
    const std::uint32_t position = position_behind(program, root);
    const std::uint32_t span = position == 0 ? std::bit_ceil(ranks) : position & -position;
    const auto rank_at = [&](std::uint32_t place) { return (place + root) % ranks; };
    if (position != 0) {
        edge(TreeEdge{rank_at(position - span), true, position, position + span});
        program.next_step();
    }
    for (std::uint32_t half = span / 2; half > 0; half /= 2) {
        if (position + half >= ranks) continue;
        edge(TreeEdge{rank_at(position + half), false, position + half, position + 2 * half});
    }
}

}  // namespace kumi::collectives
