#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/temporary_file.hpp"
#include "schedule/mapped_schedule.hpp"

namespace kumi::schedule {

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
