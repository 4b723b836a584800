#pragma once

#include <array>
#include <cstdint>

namespace kumi::schedule {

/// The binary form of a schedule, little-endian throughout:
///
///     8 bytes   kBinaryMagic
///     4, 4      version, number of ranks
///     in kVersionWithOrder only:
///     8, 8      numbers of polls and of wildcards, as in RecordedOrder
///     4, 4      1 if the next part follows, else 0; zeros
///     in kVersionWithErrors, and in kVersionWithOrder as it says:
///     4, 4      1 if exact messages are protected, else 0; number of contents
///     48 each   contents of approximate messages, as in BinaryContent
///     then for every rank, in order:
///     4, 4      number of operations, number of successors
///     24 each   operations, as in Operation
///     4 each    successors, as in Successor; 4 zeros follow if their number is odd
///
/// About as large as the schedule in memory. A schedule is written in the lowest version that has
/// all it says: kBinaryVersion without errors in messages and without polls and wildcards of
/// recorded calls.

/// Begins every schedule in binary form.
inline constexpr std::array<char, 8> kBinaryMagic = {'K', 'U', 'M', 'I', 'S', 'C', 'H', '\n'};
/// Raised whenever what follows the header has another meaning.
inline constexpr std::uint32_t kBinaryVersion = 2;
inline constexpr std::uint32_t kVersionWithErrors = 3;
inline constexpr std::uint32_t kVersionWithOrder = 4;

/// An ErrorContent.
struct BinaryContent {
    std::uint8_t element;  ///< Its number.
    std::uint8_t protected_bits;
    std::uint8_t order;  ///< 0 if it is that of each link, else 1 more than a BitOrder.
    std::array<std::uint8_t, 5> reserved;  ///< Zeros.
    std::array<char, 40> function;         ///< Zeros follow the name.
};
static_assert(sizeof(BinaryContent) == 48);

}  // namespace kumi::schedule
