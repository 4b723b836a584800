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

void SpilledRanks::write(std::span<const Operation> operations,
                         std::span<const Successor> successors) {
    RankPlace place{.operations_at = x_size_bytes,
                    .operations = static_cast<std::uint32_t>(operations.size())};
    place.successors_at = place.operations_at + operations.size_bytes();
    place.successors = static_cast<std::uint32_t>(successors.size());
    x_places.push_back(place);
    x_file.write(operations.data(), operations.size_bytes());
    x_file.write(successors.data(), successors.size_bytes());
    x_size_bytes = place.successors_at + successors.size_bytes();
    // The next rank's operations must lie where an Operation may.
    constexpr std::uint64_t kZeros = 0;
    const std::size_t gap =
        (alignof(Operation) - x_size_bytes % alignof(Operation)) % alignof(Operation);
    x_file.write(&kZeros, gap);
    x_size_bytes += gap;
}

Schedule SpilledRanks::finish() {
    return MappedSchedule::make(x_file.map(x_size_bytes, TemporaryFile::Access::kRead), x_places);
}

}  // namespace kumi::schedule
