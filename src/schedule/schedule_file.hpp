#pragma once

#include <cstdint>
#include <string>

#include "schedule/schedule.hpp"

namespace kumi {

/// Reads a schedule from a file, in binary form if it begins like one, else as GOAL text. Throws
/// ScheduleError, which begins with the path, if it is no schedule, std::system_error if it cannot
/// be read.
Schedule read_schedule_file(const std::string& path);

enum class ScheduleForm : std::uint8_t { kGoal, kBinary };

/// Writes a schedule to a file: the file appears whole, or not at all. Throws std::system_error.
void write_schedule_file(const Schedule& schedule, const std::string& path, ScheduleForm form);

}  // namespace kumi
