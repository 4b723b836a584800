#include "engine/near_events.hpp"

#include <cstring>

namespace kumi::engine {

// One unused slot before node 0 puts siblings (1 and 2, 3 and 4, ...) into one cache line.
constexpr std::uint32_t kUnusedSlots = 1;
constexpr std::uint32_t kFirstCapacity = 64 - kUnusedSlots;

void EventHeap::grow() {
    const std::uint32_t wanted =
        x_capacity == 0 ? kFirstCapacity : 2 * (x_capacity + kUnusedSlots) - kUnusedSlots;
    KUMI_ASSERT(wanted > x_capacity, "too many outstanding events");
    auto* block = static_cast<Event*>(
        x_arena->allocate(sizeof(Event) * (std::size_t{wanted} + kUnusedSlots)));
    Event* nodes = block + kUnusedSlots;
    if (x_capacity != 0) {
        std::memcpy(nodes, x_nodes, sizeof(Event) * x_count);
        x_arena->release(x_nodes - kUnusedSlots,
                         sizeof(Event) * (std::size_t{x_capacity} + kUnusedSlots));
    }
    x_nodes = nodes;
    x_capacity = wanted;
}

/// Moves what is left to the beginning, or into a block of twice the size unless half is gone.
void EventRun::make_room(Arena& arena) {
    constexpr std::uint32_t kFirstCapacity = 64;
    const std::uint32_t count = size();
    if (x_next >= x_capacity / 2 && x_capacity != 0) {
        std::memmove(x_events, x_events + x_next, sizeof(Event) * count);
    } else {
        KUMI_ASSERT(x_capacity < (1U << 31), "too many outstanding events");
        const std::uint32_t wanted = x_capacity == 0 ? kFirstCapacity : 2 * x_capacity;
        auto* events = static_cast<Event*>(arena.allocate(sizeof(Event) * std::size_t{wanted}));
        if (x_capacity != 0) {
            std::memcpy(events, x_events + x_next, sizeof(Event) * count);
            arena.release(x_events, sizeof(Event) * std::size_t{x_capacity});
        }
        x_events = events;
        x_capacity = wanted;
    }
    x_next = 0;
    x_end = count;
}

}  // namespace kumi::engine
