#pragma once

#include <cstdint>

#include "base/arena.hpp"
#include "engine/event_key.hpp"

namespace kumi {

/// A priority queue of events: a 4-ary heap in an arena, the four children of a node in two cache
/// lines. Plain data. `push` and `pop` take O(log n).
///
/// Most events cause exactly one other. `take` therefore leaves a hole at the root that the next
/// `push` fills, which costs one sift instead of two; `top`, `empty`, `size` see through the hole.
class EventQueue {
   public:
    explicit EventQueue(Arena* arena) : x_arena(arena) {}

    bool empty() const { return size() == 0; }
    std::uint32_t size() const { return x_count - (x_has_hole ? 1 : 0); }

    /// Inserts an event. Two events of equal keys are a programmer's error that the queue cannot
    /// see: their order would be undefined.
    void push(const Event& event) {
        if (x_has_hole) {
            x_has_hole = false;
            sift_down(event);
            return;
        }
        if (x_count == x_capacity) grow();
        sift_up(x_count++, event);
    }

    /// The event with the smallest key. The queue must not be empty and must be settled.
    const Event& top() const { return x_nodes[0]; }

    /// Removes and returns the event with the smallest key; the queue must not be empty. Until
    /// `settle` (or `push`, or the next `take`) is called, `top` is not valid.
    Event take() {
        settle();
        KUMI_ASSERT(x_count != 0, "an event is taken from an empty queue");
        x_has_hole = true;
        return x_nodes[0];
    }

    /// Closes the hole that `take` left.
    void settle() {
        if (!x_has_hole) return;
        x_has_hole = false;
        if (--x_count != 0) sift_down(x_nodes[x_count]);
    }

   private:
    static constexpr std::uint32_t kArity = 4;

    void sift_up(std::uint32_t position, const Event& event) {
        while (position != 0) {
            const std::uint32_t parent = (position - 1) / kArity;
            if (!precedes(event.key, x_nodes[parent].key)) break;
            x_nodes[position] = x_nodes[parent];
            position = parent;
        }
        x_nodes[position] = event;
    }

    /// Places `event`, which may alias the last node, into the subtree below the empty root.
    void sift_down(const Event event) {
        std::uint32_t position = 0;
        for (;;) {
            const std::uint32_t first = position * kArity + 1;
            if (first >= x_count) break;
            const std::uint32_t smallest = smallest_child(first);
            if (!precedes(x_nodes[smallest].key, event.key)) break;
            x_nodes[position] = x_nodes[smallest];
            position = smallest;
        }
        x_nodes[position] = event;
    }

    std::uint32_t smallest_child(std::uint32_t first) const {
        const auto smaller = [this](std::uint32_t a, std::uint32_t b) {
            return precedes(x_nodes[b].key, x_nodes[a].key) ? b : a;
        };
        if (first + kArity <= x_count) {
            return smaller(smaller(first, first + 1), smaller(first + 2, first + 3));
        }
        std::uint32_t smallest = first;
        for (std::uint32_t child = first + 1; child < x_count; ++child) {
            smallest = smaller(smallest, child);
        }
        return smallest;
    }

    void grow();

    Arena* x_arena;
    Event* x_nodes = nullptr;  ///< Node 0 lies 96 bytes into its block: see `grow`.
    std::uint32_t x_count = 0;
    std::uint32_t x_capacity = 0;
    bool x_has_hole = false;
};

}  // namespace kumi
