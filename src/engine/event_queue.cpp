#include "engine/event_queue.hpp"

namespace kumi {

void EventQueue::fetch_list() {
    if (x_far.empty()) {
        x_horizon = kNever;
        return;
    }
    const FarEvents::Batch batch = x_far.take_batch(*x_arena);
    x_list = batch.first;
    x_list_next = 0;
    x_list_end = batch.count;
    x_list_is_new = true;
    x_horizon = batch.end;
}

/// Leaves what comes at the next instant; all later events become far.
void EventQueue::spread() {
    const Instant now = x_heap.top().key.time;
    x_horizon = now + Duration{1};
    x_far.start(x_horizon);
    x_heap.keep_only(now, [this](const Event& event) { x_far.push(*x_arena, event); });
}

}  // namespace kumi
