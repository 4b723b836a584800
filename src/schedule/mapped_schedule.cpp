#include "schedule/mapped_schedule.hpp"

#include <cstddef>
#include <utility>

namespace kumi::schedule {

Schedule MappedSchedule::make(std::shared_ptr<const void> file,
                              const std::vector<RankPlace>& places,
                              std::optional<ScheduleErrors> errors,
                              const RecordedOrder& recorded_order) {
    Schedule schedule;
    schedule.x_errors = std::move(errors);
    schedule.x_recorded_order = recorded_order;
    schedule.x_file = std::move(file);
    const auto* bytes = static_cast<const std::byte*>(schedule.x_file.get());
    std::uint32_t operations = 0, successors = 0;
    for (const RankPlace& place : places) {
        schedule.x_mapped.push_back(
            {reinterpret_cast<const Operation*>(bytes + place.operations_at),
             reinterpret_cast<const Successor*>(bytes + place.successors_at)});
        operations += place.operations;
        successors += place.successors;
        schedule.x_starts.push_back({operations, successors});
    }
    return schedule;
}

}  // namespace kumi::schedule
