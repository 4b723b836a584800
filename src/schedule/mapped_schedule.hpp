#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/temporary_file.hpp"
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

/// The ranks of a schedule that does not fit into memory: they go to a temporary file one after the
/// other, and in the end the schedule refers to it. Throws TemporaryFileError if there is no space.
class SpilledRanks {
   public:
    /// Number of ranks written.
    std::uint32_t ranks() const { return static_cast<std::uint32_t>(x_places.size()); }
    /// The next rank.
    void write(std::span<const Operation> operations, std::span<const Successor> successors);
    /// Nothing must be written afterwards.
    Schedule finish();

   private:
    TemporaryFile x_file;
    std::uint64_t x_size_bytes = 0;
    std::vector<RankPlace> x_places;
};

}  // namespace kumi::schedule
