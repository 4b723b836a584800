#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "schedule/schedule.hpp"

/// Schedules in binary form, see binary_format.hpp.
namespace kumi::schedule {

/// The stream says whether it worked.
void write_binary(const Schedule& schedule, std::ostream& output);

/// Reads what write_binary wrote, and checks all of it: ScheduleError, which begins with "byte N:
/// ", if it is damaged, ends too early or goes on too long.
Schedule read_binary(std::istream& input);

/// Checks the file as read_binary does, a rank at a time, and maps it into memory: what it says is
/// read from the file whenever it is needed, and need not fit into memory. The file must not be
/// changed as long as the schedule is there. Throws ScheduleError, or std::system_error if it
/// cannot be read or mapped.
Schedule map_binary(const std::string& path);

}  // namespace kumi::schedule
