#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "base/memory/arena.hpp"
#include "engine/far_events.hpp"
#include "engine/near_events.hpp"

namespace kumi::engine {

/// A priority queue of events in an arena; plain data. Events up to a horizon are near: in a sorted
/// list that came in from afar, in a run if they are put in in their order, else in a heap. The
/// others are far, and are sorted batch by batch when all that is near has been taken. As long as
/// there are few events, all are near.
///
/// A push costs O(1), or O(log of what is near) out of order within the horizon; how many events
/// are outstanding hardly matters. And the list shows what comes next, so that memory can be
/// fetched in advance.
class EventQueue {
   public:
    explicit EventQueue(Arena* arena) : x_arena(arena), x_heap(arena) {}

    bool empty() const { return size() == 0; }
    std::uint32_t size() const { return near_size() + (x_list_end - x_list_next) + x_far.size(); }

    /// Inserts an event. Two events of equal keys are a programmer's error that the queue cannot
    /// see: their order would be undefined.
    void push(const Event& event) {
        if (event.key.time >= x_horizon) [[unlikely]] {
            x_far.push(*x_arena, event);
        } else {
            // Word by word: an event that need not be in memory goes into its bucket from registers
            // then.
            push_near(event.key.time, event.key.class_and_source, event.key.source_sequence,
                      event.payload);
        }
    }

    /// The event with the smallest key; nullptr if there is none. The queue must be settled.
    const Event* top() const {
        if (list_is_next()) return x_list + x_list_next;
        if (run_is_next()) return &x_run.top();
        return x_heap.empty() ? nullptr : &x_heap.top();
    }

    /// Removes and returns the event with the smallest key; the queue must be settled and not
    /// empty. Until `settle` is called, it is not settled any more.
    Event take() {
        if (list_is_next()) return x_list[x_list_next++];
        if (run_is_next()) return x_run.take();
        KUMI_ASSERT(!x_heap.empty(), "an event is taken from an empty queue");
        return x_heap.take();
    }

    /// Makes `top` and `take` valid.
    void settle() {
        x_heap.settle();
        if (x_horizon != kNever) {
            if (x_list_next == x_list_end && near_size() == 0) fetch_list();
        } else if (near_size() > kFew) {
            spread();
        }
    }

    static constexpr std::uint32_t kBlock = 8;
    /// For fetching memory in advance: whether as many events as a block has were taken from the
    /// list since this said so, or the list is new.
    bool begins_block() {
        if (x_list_next < x_block_end) return false;
        x_block_end = x_list_next + kBlock;
        return true;
    }
    /// Whether the list has come since this was asked last.
    bool has_new_list() { return std::exchange(x_list_is_new, false); }
    /// Up to `count` events that come `distance` after the next one, as far as they are known: a
    /// guess, since others may come between.
    std::span<const Event> upcoming(std::uint32_t distance, std::uint32_t count = kBlock) const {
        const std::uint32_t first = std::min(x_list_next + distance, x_list_end);
        return {x_list + first, std::min(count, x_list_end - first)};
    }

   private:
    /// With no more events than these a heap is faster.
    static constexpr std::uint32_t kFew = 256;

    std::uint32_t near_size() const { return x_heap.size() + x_run.size(); }
    bool list_is_next() const {
        if (x_list_next == x_list_end) return false;
        const EventKey& key = x_list[x_list_next].key;
        return (x_run.empty() || precedes(key, x_run.top().key)) &&
               (x_heap.empty() || precedes(key, x_heap.top().key));
    }
    /// If the list is not.
    bool run_is_next() const {
        return !x_run.empty() && (x_heap.empty() || precedes(x_run.top().key, x_heap.top().key));
    }
    void push_near(Instant time, std::uint64_t class_and_source, std::uint64_t source_sequence,
                   std::uint64_t payload);
    /// Nothing is near.
    void fetch_list();
    void spread();

    Arena* x_arena;
    EventHeap x_heap;
    EventRun x_run;
    Instant x_horizon = kNever;
    const Event* x_list = nullptr;
    std::uint32_t x_list_next = 0, x_list_end = 0;
    std::uint32_t x_block_end = 1;
    bool x_list_is_new = false;
    FarEvents x_far;
};

}  // namespace kumi::engine
