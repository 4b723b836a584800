#include "schedule/spilled_ranks.hpp"

namespace kumi::schedule {

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
