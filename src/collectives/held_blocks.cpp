#include "collectives/held_blocks.hpp"

#include <cstring>

#include "base/check.hpp"

namespace kumi::collectives {

HeldBlocks::HeldBlocks(std::uint32_t most, std::uint64_t block_bytes)
    : x_block_bytes(block_bytes), x_memory(most * block_bytes) {
    x_slots.reserve(most);
    for (std::uint32_t slot = most; slot > 0; --slot) x_free.push_back(slot - 1);
}

std::byte* HeldBlocks::add(BlockId block) {
    KUMI_ASSERT(!x_free.empty(), "a rank holds more blocks than there are");
    const std::uint32_t slot = x_free.back();
    x_free.pop_back();
    const bool is_new = x_slots.emplace(block, slot).second;
    KUMI_ASSERT(is_new, "a rank gets a block twice");
    return at(slot);
}

const std::byte* HeldBlocks::find(BlockId block) const {
    const auto found = x_slots.find(block);
    KUMI_ASSERT(found != x_slots.end(), "a rank does not hold a block that it should have");
    return x_memory.data() + found->second * x_block_bytes;
}

void HeldBlocks::take(std::span<const BlockId> blocks, std::byte* into) {
    for (const BlockId block : blocks) {
        std::memcpy(into, find(block), x_block_bytes);
        into += x_block_bytes;
        const auto found = x_slots.find(block);
        x_free.push_back(found->second);
        x_slots.erase(found);
    }
}

void HeldBlocks::put(std::span<const BlockId> blocks, const std::byte* from) {
    for (const BlockId block : blocks) {
        std::memcpy(add(block), from, x_block_bytes);
        from += x_block_bytes;
    }
}

}  // namespace kumi::collectives
