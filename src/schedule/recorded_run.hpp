#pragma once

#include <cstdint>
#include <span>

#include "conductor/records.hpp"
#include "schedule/schedule.hpp"

namespace kumi {

/// The schedule that repeats a run: one chain of operations for each rank, and beside it what its
/// network interface does. All messages are bare, and each receive is for the one message that it
/// got: the tag says which of its pair of ranks it is, from 0. Times are what passed between them.
///
/// Throws ScheduleError if the records are not those of a whole run.
Schedule schedule_of_run(std::uint32_t ranks, std::span<const OperationRecord> records);

}  // namespace kumi
