#include "engine/near_events.hpp"

#include <algorithm>

namespace kumi::engine {

// One unused slot before node 0 puts siblings (1 and 2, 3 and 4, ...) into one cache line.
constexpr std::uint32_t kUnusedSlots = 1;
constexpr std::uint32_t kFirstSlots = 64;

void EventHeap::grow() {
    const std::uint32_t slots = x_capacity == 0 ? 0 : x_capacity + kUnusedSlots;
    const std::uint32_t wanted = slots == 0 ? kFirstSlots : 2 * slots;
    KUMI_ASSERT(wanted > slots, "too many outstanding events");
    Event* const block = slots == 0 ? nullptr : x_nodes - kUnusedSlots;
    x_nodes = x_arena->enlarge(block, slots, slots, wanted) + kUnusedSlots;
    x_capacity = wanted - kUnusedSlots;
}

/// Moves what is left to the beginning if half is gone, else takes a block of twice the size.
void EventRun::make_room(Arena& arena) {
    constexpr std::uint32_t kFirstCapacity = 64;
    if (x_next >= x_capacity / 2 && x_capacity != 0) {
        std::copy(x_events + x_next, x_events + x_end, x_events);
        x_end = size();
        x_next = 0;
        return;
    }
    KUMI_ASSERT(x_capacity < (1U << 31), "too many outstanding events");
    const std::uint32_t wanted = x_capacity == 0 ? kFirstCapacity : 2 * x_capacity;
    x_events = arena.enlarge(x_events, x_end, x_capacity, wanted);
    x_capacity = wanted;
}

}  // namespace kumi::engine
