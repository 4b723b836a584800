#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <vector>

#include "schedule/schedule.hpp"

namespace kumi::schedule {

/// Reads a schedule in GOAL text, the format of LogGOPSim [Hoefler10] and ATLAHS:
///
///     num_ranks 2
///     rank 0 {
///       a: calc 100              // nanoseconds
///       b: send 8b to 1 tag 3
///       b requires a
///     }
///     rank 1 { recv 8b from 0 tag 3 }
///
/// Statements need no lines of their own; `[label:]` before send, recv, calc and wait_until; `tag`,
/// `cpu`, `nic` after them, in this order, 0 if left out; -1 for any source or tag of a recv; ranks
/// in ascending order, and those left out do nothing. Additions of our own: a time may end in "ps",
/// `wait_until T` ends at T, `hint KEY VALUE` is for the rank's
/// service something (IN_KERNEL, REPEATED, MEMORY_BUDGET, EAGER, INIT_DONE), and what a run
/// recorded says so at the end of its line: `software` or `sleep` after a calc, `bare`, and then
/// `control`, `request`, `interface`, after a message (see Operation).
///
/// Throws GoalError, which names the line.
Schedule read_goal(std::istream& input);

/// An operation, numbered in its rank from 0.
struct OperationPlace {
    std::uint32_t rank = 0;
    std::uint32_t operation = 0;
};

/// The lines in which the text says these operations; 0 for what is not in it. Lines are looked for
/// when there is something to complain about, so that schedules need no memory for them. Throws
/// GoalError.
std::vector<std::uint64_t> find_goal_lines(std::istream& input,
                                           const std::vector<OperationPlace>& places);

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
