#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace kumi {

/// An allocator for arrays that may be many gigabytes, read here and there: large blocks ask for
/// huge pages, without which most reads would miss the processor's table of pages. Pages that are
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
        if (size_bytes < kLarge) return static_cast<T*>(::operator new(size_bytes, kAlign));
        void* const memory = ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        // A system without huge pages refuses: then ordinary ones will do.
        (void)::madvise(memory, size_bytes, MADV_HUGEPAGE);
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) {
        const std::size_t size_bytes = count * sizeof(T);
        constexpr std::align_val_t kAlign{alignof(T)};
        if (size_bytes < kLarge) return ::operator delete(memory, kAlign);
        ::munmap(memory, size_bytes);
    }
    bool operator==(const LargeAllocator&) const { return true; }

   private:
    static constexpr std::size_t kLarge = std::size_t{1} << 23;
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace kumi
