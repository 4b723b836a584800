#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/call_name.hpp"
#include "conductor/records/records.hpp"
#include "schedule/schedule.hpp"

namespace kumi::schedule {

/// What is recorded of a run in which messages may arrive with errors.
struct RecordedErrors {
    bool protects_exact = true;
    std::vector<CallName> functions{};  ///< By the numbers that heads have.
};

/// The schedule that repeats a run: one chain of operations for each rank, and those of its
/// network interface. All messages are bare, and each receive is for the one message that it
/// got: the tag says which of its pair of ranks it is, from 0. Times are what passed between them.
///
/// Payloads that allow errors come first in the order of their ordinals, so that the tag of each is
/// its ordinal, by which a replay draws its errors.
///
/// Throws ScheduleError if the records are not those of a whole run.
Schedule schedule_of_run(std::uint32_t ranks, std::span<const conductor::OperationRecord> records,
                         const std::optional<RecordedErrors>& errors = std::nullopt);

}  // namespace kumi::schedule
