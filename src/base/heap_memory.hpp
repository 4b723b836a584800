#pragma once

#include <cstddef>
#include <new>

namespace kumi {

/// The process's own memory, taken and given back as an Arena's is: blocks at multiples of 64.
struct HeapMemory {
    void* allocate(std::size_t size_bytes) { return ::operator new(size_bytes, kAlignment); }
    void release(void* block, std::size_t) { ::operator delete(block, kAlignment); }

   private:
    static constexpr std::align_val_t kAlignment{64};
};

}  // namespace kumi
