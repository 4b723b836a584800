#pragma once

#include <cstdint>
#include <span>

#include "conductor/records/records.hpp"
#include "schedule/schedule.hpp"

namespace kumi::schedule {

/// The schedule of what MPI libraries asked for in a run: sends and receives with tags, computing
/// in between, and waits as dependences. A replay over any platform charges overheads, matching and
/// protocols anew.
///
/// Each operation starts after the one before it in the program has started, or ended if that is
/// computing, and after those that have ended on which the rank waited in between:
/// - A call that names requests, as MPI_Waitall, waits for all that the calls sent and posted by
///   which these were started.
/// - Any other call waits for all that it has sent and posted itself, unless it starts a request.
/// - What a call sends and posts after its MPI library has read completions waits for these: for
///   those of the call itself if there are any.
///
/// Match bits become tags: bits that all the same receives accept are one tag. Polls and wildcards
/// are counted in the schedule's RecordedOrder.
///
/// Throws ScheduleError if the records are not those of a whole run.
Schedule schedule_of_calls(std::uint32_t ranks, std::span<const conductor::CallRecord> records);

}  // namespace kumi::schedule
