#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "base/large_pages.hpp"

namespace kumi {

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
        void* const mapped = ::mmap(nullptr, size_bytes + kLargePage, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapped == MAP_FAILED) throw std::bad_alloc();
        const auto address = reinterpret_cast<std::uintptr_t>(mapped);
        const std::size_t before = large_page_after(address) - address;
        auto* const memory = static_cast<std::byte*>(mapped) + before;
        const std::size_t pages_bytes = whole_pages(size_bytes);
        if (before > 0) ::munmap(mapped, before);
        ::munmap(memory + pages_bytes, size_bytes + kLargePage - before - pages_bytes);
        // A system without large pages refuses: then ordinary ones will do.
        (void)::madvise(memory, pages_bytes, MADV_HUGEPAGE);
        return reinterpret_cast<T*>(memory);
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

}  // namespace kumi
