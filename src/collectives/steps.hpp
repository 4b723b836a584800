#pragma once

#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "collectives/rank_program.hpp"

namespace kumi::collectives {

/// A vector cut into parts as equal as can be: the first ones are a byte longer.
class Parts {
   public:
    Parts(std::uint64_t total_bytes, std::uint32_t count)
        : x_total_bytes(total_bytes), x_count(count) {}

    std::uint32_t count() const { return x_count; }
    std::uint64_t bytes(BlockId part) const {
        return x_total_bytes / x_count + (part < x_total_bytes % x_count ? 1 : 0);
    }
    std::uint64_t bytes(std::span<const BlockId> parts) const {
        std::uint64_t sum = 0;
        for (const BlockId part : parts) sum += bytes(part);
        return sum;
    }
    std::vector<BlockId> all() const { return range(0, x_count); }
    /// From `first` to before `end`, or to the last.
    std::vector<BlockId> range(std::uint32_t first, std::uint32_t end) const {
        const std::uint32_t last = end < x_count ? end : x_count;
        std::vector<BlockId> parts(first < last ? last - first : 0);
        std::iota(parts.begin(), parts.end(), BlockId{first});
        return parts;
    }

   private:
    std::uint64_t x_total_bytes;
    std::uint32_t x_count;
};

/// How many bits the numbers below `count` need: the steps of algorithms that double the distance.
inline std::uint64_t bits_below(std::uint64_t count) { return std::bit_width(count - 1); }

/// Ranks 0..size-1, as many as the largest power of two, do an algorithm that needs one; each of
/// the other ranks leaves its part in it to one of them, `size` below.
class Core {
   public:
    explicit Core(const RankProgram& program)
        : x_rank(program.rank()), x_ranks(program.ranks()), x_size(std::bit_floor(x_ranks)) {}

    std::uint32_t size() const { return x_size; }
    bool has_this_rank() const { return x_rank < x_size; }
    /// Whether this rank, of the core, acts for another one.
    bool acts_for_another() const { return has_this_rank() && x_rank + x_size < x_ranks; }
    /// The rank that acts for this one, or for which this one acts.
    std::uint32_t partner() const { return has_this_rank() ? x_rank + x_size : x_rank - x_size; }
    /// The one of both that is outside.
    std::uint32_t outer() const { return has_this_rank() ? partner() : x_rank; }

    /// The parts that belong to the core's ranks from `first` to before `first + count`: each has
    /// the one with its own number, and that of the rank it acts for.
    std::vector<BlockId> parts_of(const Parts& parts, std::uint32_t first,
                                  std::uint32_t count) const {
        std::vector<BlockId> owned = parts.range(first, first + count);
        for (const BlockId part : parts.range(first + x_size, first + x_size + count)) {
            owned.push_back(part);
        }
        return owned;
    }

   private:
    std::uint32_t x_rank, x_ranks, x_size;
};

/// How far a rank is behind `root`, around the end.
inline std::uint32_t position_behind(const RankProgram& program, std::uint32_t root) {
    return (program.rank() + program.ranks() - root) % program.ranks();
}

/// An edge of a binomial tree, as the rank at one end of it sees it.
struct TreeEdge {
    std::uint32_t peer = 0;
    RankProgram::Role role{};          ///< It receives from the parent, and sends to children.
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
        edge(TreeEdge{rank_at(position - span), RankProgram::Role::kReceives, position,
                      position + span});
        program.next_step();
    }
    for (std::uint32_t half = span / 2; half > 0; half /= 2) {
        if (position + half >= ranks) continue;
        edge(TreeEdge{rank_at(position + half), RankProgram::Role::kSends, position + half,
                      position + 2 * half});
    }
}

/// Around the ring: part p begins at the rank after `position` p, is added to at every rank, and
/// ends at position p. A rank's position is its distance behind some first rank. There are as many
/// parts as ranks.
void ring_reduce_scatter(RankProgram& program, const Parts& parts, std::uint32_t position);

/// Around the ring: the rank at position p has part p, and every rank gets all.
void ring_allgather(RankProgram& program, const Parts& parts, std::uint32_t position);

/// Number of messages of each of the two.
inline std::uint64_t ring_messages(std::uint64_t ranks) { return ranks * (ranks - 1); }

/// Ranks of the core exchange halves of their data with ever nearer ones, and add; in the end each
/// has its own part.
void recursive_halving(RankProgram& program, const Core& core, const Parts& parts);

/// Ranks of the core exchange all they have with ever farther ones; each begins with its own part.
void recursive_doubling(RankProgram& program, const Core& core, const Parts& parts);

/// Number of messages of each of these two.
inline std::uint64_t core_messages(std::uint64_t ranks) {
    const std::uint64_t size = std::bit_floor(ranks);
    return size * bits_below(size);
}

/// A step in which each rank outside the core has the role `outside` in a message of `blocks`
/// between it and its partner, which has the role `inside`.
void fold(RankProgram& program, const Core& core, const Parts& parts,
          std::span<const BlockId> blocks, RankProgram::Role outside, RankProgram::Role inside);

/// The ranks outside the core give all their parts to their partners, which add them to their own.
inline void fold_in(RankProgram& program, const Core& core, const Parts& parts) {
    fold(program, core, parts, parts.all(), RankProgram::Role::kSends, RankProgram::Role::kAdds);
}

/// The ranks outside the core get `given` from their partners.
inline void fold_out(RankProgram& program, const Core& core, const Parts& parts,
                     std::span<const BlockId> given) {
    fold(program, core, parts, given, RankProgram::Role::kReceives, RankProgram::Role::kSends);
}

/// Number of messages of these two together.
inline std::uint64_t fold_messages(std::uint64_t ranks) {
    return 2 * (ranks - std::bit_floor(ranks));
}

}  // namespace kumi::collectives
