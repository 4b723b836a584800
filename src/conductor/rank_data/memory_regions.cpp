#include "conductor/rank_data/memory_regions.hpp"

#include <algorithm>

namespace kumi::conductor {

MemoryRegions::Region* MemoryRegions::find(std::uint64_t key) const {
    // Newest first: programs use the window they made last.
    for (std::uint32_t i = x_count; i-- > 0;)
        if (x_regions[i].key == key) return &x_regions[i];
    return nullptr;
}

void MemoryRegions::expose(Arena& arena, std::uint64_t key, std::uint64_t base,
                           std::uint64_t size_bytes) {
    if (Region* known = find(key)) {
        *known = {key, base, size_bytes};
        return;
    }
    if (x_count == x_capacity) {
        const std::uint32_t larger = x_capacity == 0 ? 16 : 2 * x_capacity;
        x_regions = arena.enlarge(x_regions, x_count, x_capacity, larger);
        x_capacity = larger;
    }
    x_regions[x_count++] = {key, base, size_bytes};
}

void MemoryRegions::withdraw(std::uint64_t key) {
    Region* region = find(key);
    if (region == nullptr) return;
    std::copy(region + 1, x_regions + x_count, region);
    --x_count;
}

std::optional<std::uint64_t> MemoryRegions::resolve(std::uint64_t key, std::uint64_t offset,
                                                    std::uint64_t size_bytes) const {
    const Region* region = find(key);
    if (region == nullptr || offset > region->size_bytes ||
        size_bytes > region->size_bytes - offset)
        return std::nullopt;
    return region->base + offset;
}

}  // namespace kumi::conductor
