#pragma once

#include <cstdint>
#include <optional>

#include "base/memory/arena.hpp"

namespace kumi::conductor {

/// The memory of one rank that others may read and write, by key. Plain data in the arena.
class MemoryRegions {
   public:
    /// A key that is there already gets the new range.
    void expose(Arena& arena, std::uint64_t key, std::uint64_t base, std::uint64_t size_bytes);
    void withdraw(std::uint64_t key);
    /// The address of `size_bytes` at `offset` in the region; nothing if they are not all in it.
    std::optional<std::uint64_t> resolve(std::uint64_t key, std::uint64_t offset,
                                         std::uint64_t size_bytes) const;

   private:
    struct Region {
        std::uint64_t key;
        std::uint64_t base;
        std::uint64_t size_bytes;
    };
    Region* find(std::uint64_t key) const;

    Region* x_regions = nullptr;
    std::uint32_t x_count = 0;
    std::uint32_t x_capacity = 0;
};

}  // namespace kumi::conductor
