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

}  // namespace kumi::collectives
