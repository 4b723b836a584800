#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "schedule/schedule.hpp"

namespace kumi::schedule {

/// Where a rank's arrays lie in a file, in bytes from the start, and how many entries they have.
struct RankPlace {
    std::uint64_t operations_at = 0, successors_at = 0;
    std::uint32_t operations = 0, successors = 0;
};

/// Makes schedules that refer to a file.
class MappedSchedule {
   public:
    /// `file` is where the file, or as much of it as the places name, is mapped; there are places
    /// of all ranks, in order, whose sums have been checked.
    static Schedule make(std::shared_ptr<const void> file, const std::vector<RankPlace>& places,
                         std::optional<ScheduleErrors> errors = std::nullopt,
                         const RecordedOrder& recorded_order = {});
};

}  // namespace kumi::schedule
