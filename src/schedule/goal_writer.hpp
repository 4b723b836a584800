#pragma once

#include <ostream>

#include "schedule/schedule.hpp"

namespace kumi {

/// Writes a schedule as the GOAL text that read_goal reads. Times that are no whole nanoseconds,
/// and wait_until, are of our own dialect. The stream says whether it worked.
void write_goal(const Schedule& schedule, std::ostream& output);

}  // namespace kumi
