#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "collectives/rank_program.hpp"

namespace kumi::collectives {

/// The blocks that one rank holds during an all-to-all exchange: all of one size, never more than a
/// number that is fixed. What is sent makes room for what arrives.
class HeldBlocks {
   public:
    HeldBlocks(std::uint32_t most, std::uint64_t block_bytes);

    std::uint64_t block_bytes() const { return x_block_bytes; }
    /// Holds one more block, to be filled in. There must be room.
    std::byte* add(BlockId block);
    /// A block that is held.
    const std::byte* find(BlockId block) const;
    /// Copies blocks that are held to `into`, one behind the other, and holds them no longer.
    void take(std::span<const BlockId> blocks, std::byte* into);
    /// Holds these blocks, which lie at `from` one behind the other.
    void put(std::span<const BlockId> blocks, const std::byte* from);

   private:
    std::byte* at(std::uint32_t slot) { return x_memory.data() + slot * x_block_bytes; }

    std::uint64_t x_block_bytes;
    std::vector<std::byte> x_memory;
    std::vector<std::uint32_t> x_free;
    std::unordered_map<BlockId, std::uint32_t> x_slots;
};

}  // namespace kumi::collectives
