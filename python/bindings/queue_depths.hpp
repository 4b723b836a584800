#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

#include "matching/depth_line.hpp"

/// A stretch of a rank's time, and the most entries of its queues in it. Those of a rank come in
/// order, without gaps but those in which both queues were empty. Little-endian; Python reads it by
/// QUEUE_DEPTH_RECORD.
struct QueueDepthRecord {
    std::int64_t begin_ps;
    std::int64_t end_ps;
    std::uint32_t rank;
    std::uint32_t posted;
    std::uint32_t unexpected;
    std::uint32_t reserved;
};
static_assert(sizeof(QueueDepthRecord) == 32);

/// The depths of all ranks' queues over time, as the summary's "queue_depths".
class QueueDepths {
   public:
    /// The next rank's, which finished at `finish`. Throws StateDamaged if no rank noted them so.
    void append(const kumi::matching::DepthLine& line, kumi::Instant finish);

    /// Those that it has so far.
    std::uint32_t ranks() const { return x_ranks; }
    nanobind::bytes to_bytes() const;

   private:
    std::uint32_t x_ranks = 0;
    std::vector<QueueDepthRecord> x_records;
};
