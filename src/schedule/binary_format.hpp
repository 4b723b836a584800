#pragma once

#include <array>
#include <cstdint>
#include <istream>
#include <ostream>

#include "schedule/schedule.hpp"

namespace kumi {

/// Begins every schedule in binary form.
inline constexpr std::array<char, 8> kBinaryMagic = {'K', 'U', 'M', 'I', 'S', 'C', 'H', '\n'};
/// Raised whenever what follows the header has another meaning.
inline constexpr std::uint32_t kBinaryVersion = 1;

/// The binary form of a schedule, little-endian throughout:
///
///     8 bytes   kBinaryMagic
///     4, 4      kBinaryVersion, number of ranks
///     then for every rank, in order:
///     4, 4      number of operations, number of successors
///     24 each   operations, as in Operation
///     4 each    successors, as in Successor
///
/// About as large as the schedule in memory. The stream says whether it worked.
void write_binary(const Schedule& schedule, std::ostream& output);

/// Reads what write_binary wrote, and checks all of it: ScheduleError, which begins with "byte N:
/// ", if it is damaged, ends too early or goes on too long.
Schedule read_binary(std::istream& input);

}  // namespace kumi
