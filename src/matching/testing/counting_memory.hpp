#pragma once

#include <cstddef>
#include <cstdlib>
#include <map>

#include "base/check.hpp"

namespace kumi::matching {

/// Memory that knows what was taken, and that what is given back was taken like that.
class CountingMemory {
   public:
    CountingMemory() = default;
    CountingMemory(const CountingMemory&) = delete;
    CountingMemory& operator=(const CountingMemory&) = delete;
    ~CountingMemory() {
        for (const auto& [block, size_bytes] : x_taken) std::free(block);
    }

    void* allocate(std::size_t size_bytes) {
        void* block = std::aligned_alloc(64, (size_bytes + 63) / 64 * 64);
        KUMI_ASSERT(block != nullptr, "there is memory for a test");
        x_taken[block] = size_bytes;
        x_taken_bytes += size_bytes;
        ++x_allocations;
        return block;
    }
    void release(void* block, std::size_t size_bytes) {
        const auto place = x_taken.find(block);
        KUMI_ASSERT(place != x_taken.end() && place->second == size_bytes,
                    "a block is given back as it was taken");
        x_taken.erase(place);
        x_taken_bytes -= size_bytes;
        std::free(block);
    }
    std::size_t taken_bytes() const { return x_taken_bytes; }
    /// How often something was taken, given back or not.
    std::size_t allocations() const { return x_allocations; }

   private:
    std::map<void*, std::size_t> x_taken;
    std::size_t x_taken_bytes = 0;
    std::size_t x_allocations = 0;
};

}  // namespace kumi::matching
