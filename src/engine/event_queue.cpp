#include "engine/event_queue.hpp"

namespace kumi::engine {

void EventQueue::push_near(Instant time, std::uint64_t class_and_source,
                           std::uint64_t source_sequence, std::uint64_t payload) {
    const Event event{{time, class_and_source, source_sequence}, payload};
    if (x_run.accepts(event)) {
        x_run.push(*x_arena, event);
    } else {
        x_heap.push(event);
    }
}

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
    x_block_end = 0;
    x_horizon = batch.end;
}

/// All events become far; the first of them come back as a list.
void EventQueue::spread() {
    x_horizon = top()->key.time;
    x_far.start(x_horizon);
    const auto put_afar = [this](const Event& event) { x_far.push(*x_arena, event); };
    x_heap.remove_all(put_afar);
    x_run.remove_all(put_afar);
    fetch_list();
}

}  // namespace kumi::engine
