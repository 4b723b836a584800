#include "queue_depths.hpp"

#include "segment_reading.hpp"

void QueueDepths::append(const kumi::matching::DepthLine& line, kumi::Instant finish) {
    if (!line.is_possible())
        throw kumi::bindings::StateDamaged("the depths of a rank's queues are at no time");
    line.for_each(
        finish, [this](kumi::Instant begin, kumi::Instant end, const kumi::matching::Depths& most) {
            x_records.push_back({begin.ps, end.ps, x_ranks, most.posted, most.unexpected, 0});
        });
    ++x_ranks;
}

nanobind::bytes QueueDepths::to_bytes() const {
    return nanobind::bytes(x_records.data(), x_records.size() * sizeof(QueueDepthRecord));
}
