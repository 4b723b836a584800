#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"
#include "engine/event_key.hpp"

namespace kumi::engine {

/// A binary heap of events in an arena, both children of a node in one cache line. Plain data.
/// `push` and `take` are O(log n).
///
/// Most events cause exactly one other. `take` therefore leaves a hole at the root that the next
/// `push` fills, which costs one sift instead of two; `empty` and `size` see through the hole.
/// New events are mostly late ones, so the hole sinks to the bottom, with one comparison a level,
/// and the event then rises from there, seldom far. (Measured: wider heaps need fewer levels but
/// more comparisons, and were slower up to some thousand events.)
class EventHeap {
   public:
    explicit EventHeap(Arena* arena) : x_arena(arena) {}

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

    /// The event with the smallest key. The heap must not be empty and must be settled.
    const Event& top() const { return x_nodes[0]; }

    /// Removes and returns the event with the smallest key; the heap must be settled and not empty.
    /// Until `settle` or `push` is called, `top` is not valid.
    Event take() {
        x_has_hole = true;
        return x_nodes[0];
    }

    /// Closes the hole that `take` left.
    void settle() {
        if (!x_has_hole) return;
        x_has_hole = false;
        if (--x_count != 0) sift_down(x_nodes[x_count]);
    }

    /// Takes all events out, in no order; gives each to `receive`. The heap must be settled.
    template <class Receive>
    void remove_all(Receive&& receive) {
        for (std::uint32_t place = 0; place < x_count; ++place) receive(x_nodes[place]);
        x_count = 0;
    }

   private:
    void sift_up(std::uint32_t position, const Event& event) {
        while (position != 0) {
            const std::uint32_t parent = (position - 1) / 2;
            if (!precedes(event.key, x_nodes[parent].key)) break;
            x_nodes[position] = x_nodes[parent];
            position = parent;
        }
        x_nodes[position] = event;
    }

    /// Places `event`, a copy because it may come from the last node, below the empty root.
    void sift_down(const Event event) {
        std::uint32_t position = 0;
        std::uint32_t child = 1;
        while (child + 1 < x_count) {
            child += precedes(x_nodes[child + 1].key, x_nodes[child].key) ? 1 : 0;
            x_nodes[position] = x_nodes[child];
            position = child;
            child = 2 * position + 1;
        }
        if (child < x_count) {
            x_nodes[position] = x_nodes[child];
            position = child;
        }
        sift_up(position, event);
    }

    void grow();

    Arena* x_arena;
    Event* x_nodes = nullptr;  ///< Node 0 is the second of its block: see `grow`.
    std::uint32_t x_count = 0;
    std::uint32_t x_capacity = 0;
    bool x_has_hole = false;
};

/// Events that were put in in their order, and so need no heap. Plain data in an arena; everything
/// is O(1).
class EventRun {
   public:
    bool empty() const { return x_next == x_end; }
    std::uint32_t size() const { return x_end - x_next; }

    /// Whether the event comes after all that are in here.
    bool accepts(const Event& event) const {
        return empty() || precedes(x_events[x_end - 1].key, event.key);
    }
    /// Only for what it accepts.
    void push(Arena& arena, const Event& event) {
        if (empty()) x_next = x_end = 0;
        if (x_end == x_capacity) make_room(arena);
        x_events[x_end++] = event;
    }
    /// The first one; there must be one.
    const Event& top() const { return x_events[x_next]; }
    Event take() { return x_events[x_next++]; }

    /// Takes all events out; gives each to `receive`.
    template <class Receive>
    void remove_all(Receive&& receive) {
        for (; x_next < x_end; ++x_next) receive(x_events[x_next]);
    }

   private:
    void make_room(Arena& arena);

    Event* x_events = nullptr;
    std::uint32_t x_next = 0;  ///< Those before it are gone.
    std::uint32_t x_end = 0;
    std::uint32_t x_capacity = 0;
};

}  // namespace kumi::engine
