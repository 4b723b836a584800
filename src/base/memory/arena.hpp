#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/check.hpp"
#include "base/memory/prefetch.hpp"

namespace kumi::inline base {

/// Memory for the simulation's state: one contiguous region, handed out in blocks.
///
/// The region is either ordinary memory (replay, tests) or a segment that every rank process maps
/// at one fixed address; therefore pointers into it are valid in all of them, and nothing in it may
/// have a vtable or own memory outside it. Not synchronised: the caller holds the baton.
class Arena {
   public:
    /// Makes an arena that manages `size_bytes` at `base` (64-byte aligned, all bytes 0); lives at
    /// `base` itself. With `shared`, the region belongs to a mapping from the large page in which
    /// it begins, uses large pages where the system has them, and gives those of large released
    /// blocks back.
    static Arena* create(void* base, std::size_t size_bytes, bool shared);

    /// A block of at least `size_bytes`, 64-byte aligned, contents undefined. Aborts when full.
    void* allocate(std::size_t size_bytes);

    /// The same, all bytes 0. Memory that was never handed out before is not touched for it, and
    /// stays in small pages if there is much: not all of it may ever be needed.
    void* allocate_zeros(std::size_t size_bytes);

    /// Takes back a block that `allocate(size_bytes)` gave; the same size must be named.
    void release(void* block, std::size_t size_bytes);

    template <class T, class... Args>
    T* make(Args&&... args) {
        static_assert(alignof(T) <= 64);
        return new (allocate(sizeof(T))) T(std::forward<Args>(args)...);
    }

    /// `count` value-initialised objects of a plain type.
    template <class T>
    T* make_array(std::size_t count) {
        static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 64);
        KUMI_ASSERT(count <= SIZE_MAX / sizeof(T), "an array of this size cannot be meant");
        T* first = static_cast<T*>(allocate(sizeof(T) * (count == 0 ? 1 : count)));
        for (std::size_t i = 0; i < count; ++i) new (first + i) T();
        return first;
    }

    /// An array with a copy of these values.
    template <class T>
    T* copy_of(std::span<const T> values) {
        static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 64);
        T* const copy = static_cast<T*>(allocate(values.size_bytes()));
        std::uninitialized_copy(values.begin(), values.end(), copy);
        return copy;
    }

    /// An array of `now` objects in place of one of `before` (null: none), of which it keeps the
    /// first `used`; contents of the others undefined.
    template <class T>
    T* enlarge(T* array, std::size_t used, std::size_t before, std::size_t now) {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 64);
        T* larger = static_cast<T*>(allocate(sizeof(T) * now));
        std::copy_n(array, used, larger);
        if (array != nullptr) release(array, sizeof(T) * before);
        return larger;
    }

    std::size_t used_bytes() const { return x_next - x_begin; }
    /// Never handed out so far.
    std::size_t free_bytes() const { return x_end - x_next; }
    /// Whether the bytes lie in the part of the region that has been handed out.
    bool contains(const void* first, std::size_t size_bytes) const {
        const auto address = reinterpret_cast<std::uintptr_t>(first);
        return address >= x_begin && address <= x_next && size_bytes <= x_next - address;
    }

   private:
    struct FreeBlock {
        FreeBlock* next;
    };
    static constexpr int kClasses = 128;

    /// A released block, or a new one; `may_stay_zero` is about a new one, of which parts may never
    /// be written.
    void* take(std::size_t size_bytes, bool may_stay_zero);
    /// Puts blocks from `begin` to `x_next` into large pages.
    void enlarge_pages(std::uintptr_t begin);

    std::uintptr_t x_begin = 0;
    std::uintptr_t x_next = 0;
    std::uintptr_t x_end = 0;
    std::uintptr_t x_large_end = 0;  ///< Up to here, large pages have been asked for.
    bool x_shared = false;
    FreeBlock* x_free[kClasses] = {};
};

/// Objects of one plain type, addressed by index; indices of released objects are used again, last
/// released first, so that the working set stays small.
template <class T>
class Pool {
   public:
    explicit Pool(Arena* arena) : x_arena(arena) {
        // Most entries are never needed.
        x_chunks = static_cast<Chunk*>(arena->allocate_zeros(sizeof(Chunk) * kMaxChunks));
    }

    std::uint32_t acquire() {
        const std::uint32_t index = acquire_raw();
        new (&at(index)) T();
        return index;
    }
    /// The same without making the object anew: contents undefined.
    std::uint32_t acquire_raw() {
        if (x_free_count == 0) grow();
        --x_free_count;
        const std::uint32_t index = free_slot(x_free_count);
        // Objects are often taken several at a time, and in a large pool none is in a cache.
        if (x_free_count >= kAhead) prefetch_line(&at(free_slot(x_free_count - kAhead)));
        return index;
    }

    void release(std::uint32_t index) {
        free_slot(x_free_count) = index;
        ++x_free_count;
    }

    T& at(std::uint32_t index) { return x_chunks[index / kChunk].objects[index % kChunk]; }
    const T& at(std::uint32_t index) const {
        return x_chunks[index / kChunk].objects[index % kChunk];
    }
    std::uint32_t live() const { return x_capacity - x_free_count; }
    std::uint32_t capacity() const { return x_capacity; }

   private:
    /// Some 16 KiB: a small network has little.
    static constexpr std::uint32_t kChunk =
        std::max(std::bit_floor(16384U / static_cast<std::uint32_t>(sizeof(T))), 16U);
    static constexpr std::uint32_t kMaxChunks = (1U << 24) / kChunk;
    static constexpr std::uint32_t kAhead = 6;

    struct Chunk {
        T* objects = nullptr;
        std::uint32_t* free = nullptr;  ///< Part of the stack of free indices.
    };

    std::uint32_t& free_slot(std::uint32_t place) {
        return x_chunks[place / kChunk].free[place % kChunk];
    }

    void grow() {
        const std::uint32_t chunk = x_capacity / kChunk;
        KUMI_ASSERT(chunk < kMaxChunks, "pool has too many live objects");
        x_chunks[chunk].objects = static_cast<T*>(x_arena->allocate(sizeof(T) * kChunk));
        x_chunks[chunk].free =
            static_cast<std::uint32_t*>(x_arena->allocate(sizeof(std::uint32_t) * kChunk));
        // Highest index first, so that the lowest is handed out first.
        for (std::uint32_t i = 0; i < kChunk; ++i) release(x_capacity + kChunk - 1 - i);
        x_capacity += kChunk;
    }

    Arena* x_arena;
    Chunk* x_chunks = nullptr;
    std::uint32_t x_capacity = 0;
    std::uint32_t x_free_count = 0;
};

}  // namespace kumi::inline base
