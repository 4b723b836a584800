#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include "base/check.hpp"
#include "base/memory/arena.hpp"
#include "base/memory/prefetch.hpp"

namespace kumi::inline base {

/// Objects of one plain type that fill whole cache lines. Each is addressed by the number of its
/// first line in the arena, so that an address takes no look at a table. Numbers of released
/// objects are used again, last released first, so that the working set stays small.
template <class T>
class LinePool {
    static constexpr std::size_t kLine = 64;
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % kLine == 0);

   public:
    explicit LinePool(Arena* arena) : x_arena(arena) {}

    std::uint32_t acquire() {
        const std::uint32_t number = acquire_raw();
        // Line by line: GCC fills a larger object by `rep stos`, which is slow to begin.
        auto* into = reinterpret_cast<std::byte*>(&at(number));
        const auto* from = reinterpret_cast<const std::byte*>(&kFresh);
        for (std::size_t line = 0; line < kLines; ++line)
            std::memcpy(into + line * kLine, from + line * kLine, kLine);
        return number;
    }
    /// The same without making the object anew: as it was released, or fresh.
    std::uint32_t acquire_raw() {
        if (x_free_count == 0) grow();
        const std::uint32_t number = x_free[--x_free_count];
        // Objects are often taken several at a time, and in a large pool none is in a cache.
        if (x_free_count >= kAhead) prefetch_line(&at(x_free[x_free_count - kAhead]));
        return number;
    }
    void release(std::uint32_t number) {
        KUMI_ASSERT(x_free_count < x_capacity, "more objects are released than there are");
        x_free[x_free_count++] = number;
    }

    T& at(std::uint32_t number) {
        return *reinterpret_cast<T*>(reinterpret_cast<std::byte*>(x_arena) + number * kLine);
    }
    const T& at(std::uint32_t number) const {
        return *reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(x_arena) +
                                           number * kLine);
    }
    /// Whether `number` is that of an object, or of other memory that may be read like one.
    bool may_be(std::uint32_t number) const { return x_arena->contains(&at(number), sizeof(T)); }
    std::uint32_t live() const { return x_capacity - x_free_count; }
    /// How many there are, with those that are free.
    std::uint32_t capacity() const { return x_capacity; }

    /// Calls `visit(number)` with each object, free or not.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::uint32_t chunk = 0; chunk < x_capacity / kChunk; ++chunk) {
            for (std::uint32_t i = 0; i < kChunk; ++i) visit(x_chunks[chunk] + i * kLines);
        }
    }

   private:
    static constexpr T kFresh{};
    static constexpr std::uint32_t kLines = sizeof(T) / kLine;
    /// Up to 16 KiB.
    static constexpr std::uint32_t kChunk = std::bit_floor(16384U / kLines / kLine);
    static constexpr std::uint32_t kAhead = 6;

    void grow() {
        T* objects = static_cast<T*>(x_arena->allocate(sizeof(T) * kChunk));
        for (std::uint32_t i = 0; i < kChunk; ++i) new (objects + i) T();
        const auto line = (reinterpret_cast<std::uintptr_t>(objects) -
                           reinterpret_cast<std::uintptr_t>(x_arena)) /
                          kLine;
        KUMI_ASSERT(line + kChunk * kLines <= UINT32_MAX, "pool has too many live objects");
        if (x_capacity == x_room) make_room();
        x_chunks[x_capacity / kChunk] = static_cast<std::uint32_t>(line);
        x_capacity += kChunk;
        // Highest number first, so that the lowest is handed out first.
        for (std::uint32_t i = kChunk; i > 0; --i)
            release(static_cast<std::uint32_t>(line) + (i - 1) * kLines);
    }
    void make_room() {
        const std::uint32_t room = std::max(2 * x_room, kChunk);
        x_free = x_arena->enlarge(x_free, x_free_count, x_room, room);
        x_chunks = x_arena->enlarge(x_chunks, x_room / kChunk, x_room / kChunk, room / kChunk);
        x_room = room;
    }

    Arena* x_arena;
    std::uint32_t* x_free = nullptr;    ///< A stack of numbers, with room for all.
    std::uint32_t* x_chunks = nullptr;  ///< The first number of each.
    std::uint32_t x_room = 0;
    std::uint32_t x_capacity = 0;
    std::uint32_t x_free_count = 0;
};

}  // namespace kumi::inline base
