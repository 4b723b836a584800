#pragma once

#include <array>
#include <cstdint>

namespace kumi {

/// The binary form of a schedule, little-endian throughout:
///
///     8 bytes   kBinaryMagic
///     4, 4      kBinaryVersion, number of ranks
///     then for every rank, in order:
///     4, 4      number of operations, number of successors
///     24 each   operations, as in Operation
///     4 each    successors, as in Successor; 4 zeros follow if their number is odd
///
/// About as large as the schedule in memory.

/// Begins every schedule in binary form.
inline constexpr std::array<char, 8> kBinaryMagic = {'K', 'U', 'M', 'I', 'S', 'C', 'H', '\n'};
/// Raised whenever what follows the header has another meaning.
inline constexpr std::uint32_t kBinaryVersion = 2;

}  // namespace kumi
