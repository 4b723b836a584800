#pragma once

#include <cstdint>
#include <ostream>

#include "schedule/schedule.hpp"

namespace kumi::schedule {

enum class GoalDialect : std::uint8_t {
    kOwn,       ///< With all that read_goal reads: exact times, waits, synchronise, hints, traits.
    kPortable,  ///< Only what LogGOPSim reads as well: times are rounded to nanoseconds, traits are
                ///< left out, and waits, synchronisations and hints become a calc of no time.
};

/// Writes a schedule as the GOAL text that read_goal reads. The stream says whether it worked.
void write_goal(const Schedule& schedule, std::ostream& output,
                GoalDialect dialect = GoalDialect::kOwn);

/// How many operations say something that plain GOAL cannot.
struct PortableLosses {
    std::uint64_t rounded = 0;  ///< Times that are no whole nanoseconds.
    std::uint64_t waits = 0;    ///< They wait until a time.
    std::uint64_t synchronisations = 0;
    std::uint64_t waits_after = 0;  ///< They wait until a time after a common start.
    std::uint64_t hints = 0;
    std::uint64_t software = 0;        ///< Time of the MPI library.
    std::uint64_t sleeps = 0;          ///< The program sleeps.
    std::uint64_t bare = 0;            ///< Messages without overheads and matching.
    std::uint64_t approximate = 0;     ///< Messages that may arrive with errors.
    std::uint64_t recorded_order = 0;  ///< Polls and wildcards of recorded calls.
};
PortableLosses portable_losses(const Schedule& schedule);

}  // namespace kumi::schedule
