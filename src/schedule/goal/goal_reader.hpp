#pragma once

#include <cstdint>
#include <istream>
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

}  // namespace kumi::schedule
