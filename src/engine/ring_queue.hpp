#pragma once

#include <cstdint>
#include <type_traits>

#include "base/memory/arena.hpp"

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

}  // namespace kumi::engine
