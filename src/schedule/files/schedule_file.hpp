#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/goal/goal.hpp"
#include "schedule/schedule.hpp"

namespace kumi::schedule {

/// Smaller files are read as a whole, which makes them safe from changes.
inline constexpr std::uint64_t kMappedFromBytes = std::uint64_t{1} << 30;

/// Reads a schedule from a file, in binary form if it begins like one, else as GOAL text. Throws
/// ScheduleError, which begins with the path, and for text also the line, if it is no schedule,
/// std::system_error if it cannot be read. A file in binary form of `mapped_from_bytes` or more is
/// mapped into memory instead of read, so that it may be larger than that: it must not be changed
/// as long as the schedule is there.
Schedule read_schedule_file(const std::string& path,
                            std::uint64_t mapped_from_bytes = kMappedFromBytes);

/// The lines of a file in GOAL text in which these operations stand; 0 where that is not known: of
/// another file, of a pipe, or if the file has changed.
std::vector<std::uint64_t> find_lines_in_file(const std::string& path,
                                              const std::vector<OperationPlace>& places);

/// kPortableGoal is only written.
enum class ScheduleForm : std::uint8_t { kGoal, kPortableGoal, kBinary };

/// Writes a schedule to a file: the file appears whole, or not at all. Throws std::system_error.
void write_schedule_file(const Schedule& schedule, const std::string& path, ScheduleForm form);

}  // namespace kumi::schedule
