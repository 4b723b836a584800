#pragma once

#include <cstdint>
#include <utility>

#include "base/arena.hpp"
#include "engine/event_heap.hpp"
#include "engine/far_events.hpp"

namespace kumi {

/// A priority queue of events in an arena; plain data. Events up to a horizon are near: in a heap,
/// or in a sorted list that came in from afar. The others are far, and are sorted batch by batch
/// when all that is near has been taken. As long as there are few events, all are near.
///
/// A push costs O(log of what is near), or O(1) beyond the horizon; how many events are outstanding
/// hardly matters. And the list shows what comes next, so that memory can be fetched in advance.
class EventQueue {
   public:
    explicit EventQueue(Arena* arena) : x_arena(arena), x_heap(arena) {}

    bool empty() const { return size() == 0; }
    std::uint32_t size() const { return x_heap.size() + (x_list_end - x_list_next) + x_far.size(); }

    /// Inserts an event. Two events of equal keys are a programmer's error that the queue cannot
    /// see: their order would be undefined.
    void push(const Event& event) {
        if (event.key.time < x_horizon) {
            x_heap.push(event);
        } else {
            x_far.push(*x_arena, event);
        }
    }

    /// The event with the smallest key. The queue must not be empty and must be settled.
    const Event& top() const { return list_is_next() ? x_list[x_list_next] : x_heap.top(); }

    /// Removes and returns the event with the smallest key; the queue must not be empty. Until
    /// `settle` (or the next `take`) is called, `top` is not valid.
    Event take() {
        settle();
        KUMI_ASSERT(!empty(), "an event is taken from an empty queue");
        return list_is_next() ? x_list[x_list_next++] : x_heap.take();
    }

    /// Makes `top` valid.
    void settle() {
        x_heap.settle();
        if (x_horizon != kNever) {
            if (x_heap.empty() && x_list_next == x_list_end) fetch_list();
        } else if (x_heap.size() > kFew) {
            spread();
        }
    }

    /// The event that comes `distance` after the next one, or a guess at it; nullptr if nothing is
    /// known. For fetching memory in advance only.
    const Event* upcoming(std::uint32_t distance) const {
        const std::uint32_t place = x_list_next + distance;
        return place < x_list_end ? x_list + place : nullptr;
    }

    /// Whether the list has come since this was asked last.
    bool has_new_list() { return std::exchange(x_list_is_new, false); }

   private:
    /// With no more events than these a heap is faster.
    static constexpr std::uint32_t kFew = 256;

    bool list_is_next() const {
        return x_list_next != x_list_end &&
               (x_heap.empty() || precedes(x_list[x_list_next].key, x_heap.top().key));
    }
    /// Nothing is near.
    void fetch_list();
    void spread();

    Arena* x_arena;
    EventHeap x_heap;
    Instant x_horizon = kNever;
    const Event* x_list = nullptr;
    std::uint32_t x_list_next = 0, x_list_end = 0;
    bool x_list_is_new = false;
    FarEvents x_far;
};

}  // namespace kumi
