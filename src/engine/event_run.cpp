#include "engine/event_run.hpp"

#include <cstring>

namespace kumi::engine {

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
