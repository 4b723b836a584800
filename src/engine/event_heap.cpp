#include "engine/event_heap.hpp"

#include <cstring>

namespace kumi::engine {
namespace {

// One unused slot before node 0 puts siblings (1 and 2, 3 and 4, ...) into one cache line.
constexpr std::uint32_t kUnusedSlots = 1;
constexpr std::uint32_t kFirstCapacity = 64 - kUnusedSlots;

}  // namespace

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

}  // namespace kumi::engine
