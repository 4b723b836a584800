#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "engine/ring_queue.hpp"

namespace kumi {

/// The last byte of a message leaves its source's interface.
struct Departure {
    Instant when{};
    std::uint32_t transit = 0;
};

/// Those of one link, in order of time.
struct DepartureQueue {
    std::uint64_t next_sequence = 0;
    RingQueue<Departure> waiting;
};

}  // namespace kumi
