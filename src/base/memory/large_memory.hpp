#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

#include "base/memory/large_pages.hpp"

namespace kumi::inline base {

/// An allocator for arrays that may be many gigabytes, read here and there: large blocks ask for
/// large pages, without which most reads would miss the processor's table of pages. Pages that are
/// never touched do not exist.
template <class T>
struct LargeAllocator {
    using value_type = T;

    LargeAllocator() = default;
    template <class Other>
    LargeAllocator(const LargeAllocator<Other>&) {}

    T* allocate(std::size_t count) {
        const std::size_t size_bytes = count * sizeof(T);
        constexpr std::align_val_t kAlign{alignof(T)};
        if (size_bytes < kLargePage) return static_cast<T*>(::operator new(size_bytes, kAlign));
        // Only what begins where a large page may begin is one from the first byte on.
        const std::size_t pages_bytes = whole_pages(size_bytes);
        void* const memory = map_at_large_page(pages_bytes);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        // A system without large pages refuses: then ordinary ones will do.
        (void)::madvise(memory, pages_bytes, MADV_HUGEPAGE);
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) {
        const std::size_t size_bytes = count * sizeof(T);
        constexpr std::align_val_t kAlign{alignof(T)};
        if (size_bytes < kLargePage) return ::operator delete(memory, kAlign);
        ::munmap(memory, whole_pages(size_bytes));
    }
    bool operator==(const LargeAllocator&) const { return true; }

   private:
    static std::size_t whole_pages(std::size_t size_bytes) {
        constexpr std::size_t kPage = 4096;
        return (size_bytes + kPage - 1) / kPage * kPage;
    }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace kumi::inline base
