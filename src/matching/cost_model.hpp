#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "matching/search.hpp"

namespace kumi::matching {

/// Turns what a search did into time: a list in the host's memory, walked from the front.
struct CostModel {
    Duration per_entry{};  ///< That the search looks at.

    Duration of(const Search& search) const {
        return per_entry * static_cast<std::int64_t>(search.searched);
    }
    /// Whether what a search did has to be counted.
    Counting counting() const { return per_entry.ps == 0 ? Counting::kNo : Counting::kYes; }
};

}  // namespace kumi::matching
