#pragma once

#include <cstdint>

namespace kumi::matching {

/// Whether a search says how many entries a list would have looked at.
enum class Counting : std::uint8_t { kNo, kYes };

/// What a search did.
struct Search {
    std::uint32_t id = 0;  ///< Of the entry found.
    bool found = false;
    std::uint64_t searched = 0;  ///< Entries before the one found, and that one; or all.
};

/// Where a queue reports each step of which the number may grow with its length: an entry, a bucket
/// or a sum that it looks at. Tests count them; this one does nothing.
struct UncountedSteps {
    static void step() {}
};

}  // namespace kumi::matching
