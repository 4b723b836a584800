#include "engine/event_queue.hpp"

namespace kumi {

void EventQueue::fetch_batch() {
    if (x_far.empty()) {
        x_horizon = kNever;
        return;
    }
    const FarEvents::Batch batch = x_far.take_batch(*x_arena);
    x_batch = batch.first;
    x_batch_next = 0;
    x_batch_end = batch.count;
    // With few events left all are near again.
    x_horizon = x_far.empty() && batch.count < kFew / 2 ? kNever : batch.end;
}

/// Leaves what comes at the next instant; all later events become far.
void EventQueue::spread() {
    const Instant now = x_heap.top().key.time;
    if (now == kNever) return;
    x_horizon = now + Duration{1};
    x_far.start(x_horizon);
    x_heap.keep_only(now, [this](const Event& event) { x_far.push(*x_arena, event); });
}

}  // namespace kumi
