#pragma once

#include <istream>

#include "schedule/schedule.hpp"

namespace kumi {

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
/// `wait_until T` ends at T, and what a run recorded says so at the end of its line: `software`
/// after a calc, `bare`, and then `control`, `request`, `interface`, after a message (see
/// Operation).
///
/// Throws GoalError, which names the line.
Schedule read_goal(std::istream& input);

}  // namespace kumi
