#pragma once

#include <span>

#include "schedule/schedule.hpp"

namespace kumi::schedule {

/// A schedule that is part of another one.
struct SchedulePart {
    const Schedule* schedule = nullptr;
    bool in_kernel = false;  ///< It stands between the hints IN_KERNEL 1 and 0.
};

/// One schedule after the other: a rank begins a part when it has ended all that the part before
/// has for it. Ranks do not wait for each other. O(operations). Throws ScheduleError if there is no
/// part, if parts have different numbers of ranks, or if they are too large together.
Schedule join_schedules(std::span<const SchedulePart> parts);

}  // namespace kumi::schedule
