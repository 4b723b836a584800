#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/memory/arena.hpp"
#include "base/memory/prefetch.hpp"

namespace kumi::engine {

/// A first-in first-out queue of plain values in an arena; grows by doubling, never shrinks, takes
/// no memory until first used.
template <class T>
class RingQueue {
    static_assert(std::is_trivially_copyable_v<T>);

   public:
    bool empty() const { return x_count == 0; }
    std::uint32_t size() const { return x_count; }

    T& front() { return x_slots[x_first]; }
    const T& front() const { return x_slots[x_first]; }
    T& back() { return x_slots[(x_first + x_count - 1) & x_mask]; }

    void push(Arena& arena, const T& value) {
        if (x_slots == nullptr || x_count > x_mask) grow(arena);
        x_slots[(x_first + x_count) & x_mask] = value;
        ++x_count;
    }

    void pop() {
        // An empty queue begins again at its first slot: most are short, and stay in one cache
        // line.
        x_first = --x_count == 0 ? 0 : (x_first + 1) & x_mask;
    }

   private:
    static constexpr std::uint32_t kFirstCapacity = 4;

    [[gnu::noinline]] void grow(Arena& arena) {
        const std::uint32_t capacity = x_slots == nullptr ? 0 : x_mask + 1;
        KUMI_ASSERT(capacity < (1U << 31), "a queue in the network has no end");
        const std::uint32_t wanted = capacity == 0 ? kFirstCapacity : 2 * capacity;
        T* slots = arena.make_array<T>(wanted);
        if (x_slots != nullptr) {
            for (std::uint32_t i = 0; i < x_count; ++i) slots[i] = x_slots[(x_first + i) & x_mask];
            arena.release(x_slots, sizeof(T) * capacity);
        }
        x_slots = slots;
        x_first = 0;
        x_mask = wanted - 1;
    }

    T* x_slots = nullptr;
    std::uint32_t x_first = 0;
    std::uint32_t x_count = 0;
    std::uint32_t x_mask = 0;
};

/// A first-in first-out queue of plain entries that lie in a pool, which is named in every call. Of
/// queues by the million most are empty or short: in a common pool they take as much memory as is
/// in them, and what leaves one queue makes room, in a cache, for what enters another.
///
/// `Entry` has a `std::uint32_t next`, which belongs to the queue.
template <class Entry>
class ListQueue {
    static_assert(std::is_trivially_copyable_v<Entry>);

   public:
    bool empty() const { return x_first == kNone; }

    void push(Pool<Entry>& pool, const Entry& entry) {
        const std::uint32_t index = pool.acquire_raw();
        Entry& added = pool.at(index);
        added = entry;
        added.next = kNone;
        if (empty()) {
            x_first = index;
        } else {
            pool.at(x_last).next = index;
        }
        x_last = index;
    }
    /// The last entry; there must be one.
    Entry& back(Pool<Entry>& pool) { return pool.at(x_last); }
    /// Takes the first entry out; there must be one. It stays as it is until the next push.
    const Entry& take(Pool<Entry>& pool) {
        const std::uint32_t index = x_first;
        const Entry& first = pool.at(index);
        x_first = first.next;
        pool.release(index);
        return first;
    }

    /// Fetches the first entry, or the last, if there are any.
    void prefetch_first(const Pool<Entry>& pool) const {
        if (!empty()) prefetch_line(&pool.at(x_first));
    }
    void prefetch_last(const Pool<Entry>& pool) const {
        if (!empty()) prefetch_line(&pool.at(x_last));
    }

   private:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t x_first = kNone;
    std::uint32_t x_last = 0;
};

}  // namespace kumi::engine
