#include "base/memory/arena.hpp"

#include <sys/mman.h>

#include <cstring>

#include "base/memory/large_pages.hpp"

namespace kumi::inline base {
namespace {

constexpr std::size_t kAlign = 64;
// Larger sizes would overflow when they are rounded up, and give a small block.
constexpr std::size_t kLargestBytes = std::size_t{1} << 62;
/// A block of this size has at least one large page for itself.
constexpr std::size_t kGiveBackBytes = 2 * kLargePage;

struct SizeClass {
    int index;
    std::size_t size_bytes;
};

/// Four classes to each power of two: at most a quarter of a block is wasted.
SizeClass size_class(std::size_t size_bytes) {
    KUMI_ASSERT(size_bytes <= kLargestBytes, "a block of this size cannot be meant");
    std::size_t size = (size_bytes + kAlign - 1) & ~(kAlign - 1);
    if (size < kAlign) size = kAlign;
    const int log2 = 63 - __builtin_clzll(size);
    const int shift = log2 - 2;
    const std::size_t step = std::size_t{1} << shift;
    size = (size + step - 1) & ~(step - 1);
    size = (size + kAlign - 1) & ~(kAlign - 1);
    const int rounded_log2 = 63 - __builtin_clzll(size);
    const int quarter = static_cast<int>((size >> (rounded_log2 - 2)) & 3);
    return {(rounded_log2 - 6) * 4 + quarter, size};
}

}  // namespace

Arena* Arena::create(void* base, std::size_t size_bytes, bool shared) {
    const auto address = reinterpret_cast<std::uintptr_t>(base);
    KUMI_ASSERT(address % kAlign == 0, "an arena begins at a multiple of 64");
    KUMI_ASSERT(size_bytes > sizeof(Arena) + kAlign, "an arena must hold its own header");
    auto* arena = new (base) Arena();
    arena->x_begin = address;
    arena->x_next = (address + sizeof(Arena) + kAlign - 1) & ~(kAlign - 1);
    arena->x_end = address + size_bytes;
    arena->x_shared = shared;
    return arena;
}

void* Arena::allocate(std::size_t size_bytes) { return take(size_bytes, false); }

void* Arena::allocate_zeros(std::size_t size_bytes) {
    const std::uintptr_t first_new = x_next;
    void* block = take(size_bytes, true);
    if (reinterpret_cast<std::uintptr_t>(block) < first_new) std::memset(block, 0, size_bytes);
    return block;
}

void* Arena::take(std::size_t size_bytes, bool may_stay_zero) {
    const SizeClass wanted = size_class(size_bytes);
    KUMI_ASSERT(wanted.index < kClasses, "block too large");
    if (FreeBlock* block = x_free[wanted.index]) {
        x_free[wanted.index] = block->next;
        return block;
    }
    KUMI_ASSERT(wanted.size_bytes <= x_end - x_next, "the simulation's memory is full");
    const std::uintptr_t begin = x_next;
    x_next += wanted.size_bytes;
    const bool is_sparse = may_stay_zero && wanted.size_bytes >= kLargePage;
    if (x_shared && !is_sparse && x_next > x_large_end) enlarge_pages(begin);
    return reinterpret_cast<void*>(begin);
}

void Arena::enlarge_pages(std::uintptr_t begin) {
    const std::uintptr_t first = large_page_of(std::max(begin, x_large_end));
    const std::uintptr_t last = large_page_after(x_next);
    x_large_end = last;
    if (last <= x_end) use_large_pages(first, last);
}

void Arena::release(void* block, std::size_t size_bytes) {
    const SizeClass given = size_class(size_bytes);
    KUMI_ASSERT(given.index < kClasses, "a block is given back with a size it never had");
    if (x_shared && given.size_bytes >= kGiveBackBytes) {
        const auto begin = reinterpret_cast<std::uintptr_t>(block);
        // Whole ones only: others lie in the rest.
        const std::uintptr_t first = large_page_after(begin);
        const std::uintptr_t last = large_page_of(begin + given.size_bytes);
        // Failure only means that the pages stay: no reason to stop.
        (void)madvise(reinterpret_cast<void*>(first), last - first, MADV_REMOVE);
    }
    auto* free_block = static_cast<FreeBlock*>(block);
    free_block->next = x_free[given.index];
    x_free[given.index] = free_block;
}

}  // namespace kumi::inline base
