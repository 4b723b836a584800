#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"
#include "engine/event_key.hpp"

namespace kumi::engine {

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
