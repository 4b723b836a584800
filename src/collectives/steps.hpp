#pragma once

#include "collectives/parts.hpp"

namespace kumi::collectives {

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

/// The ranks outside the core give all their parts to their partners, which add them to their own.
void fold_in(RankProgram& program, const Core& core, const Parts& parts);

/// The ranks outside the core get `given` from their partners.
void fold_out(RankProgram& program, const Core& core, const Parts& parts,
              std::span<const BlockId> given);

/// Number of messages of these two together.
inline std::uint64_t fold_messages(std::uint64_t ranks) {
    return 2 * (ranks - std::bit_floor(ranks));
}

}  // namespace kumi::collectives
