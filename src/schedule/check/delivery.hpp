#pragma once

#include <cstdint>
#include <string>

#include "collectives/patterns/pattern.hpp"

namespace kumi::schedule {

/// No larger all-to-all is checked: it would take gigabytes.
inline constexpr std::uint32_t kMostCheckedRanks = 8192;

struct Delivery {
    std::uint64_t blocks = 0;  ///< Of all ranks, those of a rank for itself included.
    std::uint64_t wrong = 0;   ///< How often a rule is broken.
    std::string first_wrong;   ///< The first of them, in a plain sentence.
};

/// Carries out an all-to-all step by step on the names of its blocks, o * ranks + t for the block
/// of rank o for rank t. The rules: a rank sends only blocks that it holds when the step begins;
/// what it receives is what it expects; in the end every block is at its target. The pattern must
/// have been made with a size of 1 byte. Takes 4 bytes for each block, and as much again for each
/// block of the largest step.
Delivery check_delivery(const collectives::Pattern& alltoall, std::uint32_t ranks);

}  // namespace kumi::schedule
