#pragma once

#include <cstdint>
#include <optional>
#include <span>

/// MPI datatypes whose messages the program allows errors (kumihimo/approx.h). The mark is how they
/// are made: by MPI_Type_create_hindexed, of one block at the beginning and an empty one, whose
/// displacement says how many bits are protected. So types that are made of them know it, for as
/// long as they live. Attributes would not do: Open MPI does not pass those of a type's parts on.
namespace kumi::mpi::type_marks {

/// Of both blocks.
inline constexpr int kLengths[2] = {1, 0};

namespace detail {
/// "KUMI", and what no program has as a displacement: more than there is memory.
inline constexpr std::int64_t kMark = 0x4B55'4D49'0000'0000;
}  // namespace detail

/// Of the empty block.
constexpr std::int64_t displacement_of(std::uint8_t protected_bits) {
    return detail::kMark + protected_bits;
}

/// The protected bits of a type, from the integers and addresses that it was made of, if it is
/// marked.
constexpr std::optional<std::uint8_t> find(std::span<const int> integers,
                                           std::span<const std::int64_t> addresses) {
    if (integers.size() != 3 || addresses.size() != 2) return std::nullopt;
    const bool are_its_blocks = integers[0] == 2 && integers[1] == kLengths[0] &&
                                integers[2] == kLengths[1] && addresses[0] == 0;
    const std::int64_t protected_bits = addresses[1] - detail::kMark;
    if (!are_its_blocks || protected_bits < 0 || protected_bits > 64) return std::nullopt;
    return static_cast<std::uint8_t>(protected_bits);
}

}  // namespace kumi::mpi::type_marks
