#pragma once

#include <array>
#include <cstdint>
#include <istream>
#include <ostream>
#include <string>

#include "schedule/schedule.hpp"

namespace kumi {

/// Begins every schedule in binary form.
inline constexpr std::array<char, 8> kBinaryMagic = {'K', 'U', 'M', 'I', 'S', 'C', 'H', '\n'};
/// Raised whenever what follows the header has another meaning.
inline constexpr std::uint32_t kBinaryVersion = 2;

/// The binary form of a schedule, little-endian throughout:
///
///     8 bytes   kBinaryMagic
///     4, 4      kBinaryVersion, number of ranks
///     then for every rank, in order:
///     4, 4      number of operations, number of successors
///     24 each   operations, as in Operation
///     4 each    successors, as in Successor; 4 zeros follow if their number is odd
///
/// About as large as the schedule in memory. The stream says whether it worked.
void write_binary(const Schedule& schedule, std::ostream& output);

/// Reads what write_binary wrote, and checks all of it: ScheduleError, which begins with "byte N:
/// ", if it is damaged, ends too early or goes on too long.
Schedule read_binary(std::istream& input);

/// Checks the file as read_binary does, a rank at a time, and maps it into memory: what it says is
/// read from the file whenever it is needed, and need not fit into memory. The file must not be
/// changed as long as the schedule is there. Throws ScheduleError, or std::system_error if it
/// cannot be read or mapped.
Schedule map_binary(const std::string& path);

}  // namespace kumi
