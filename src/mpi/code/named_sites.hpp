#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "mpi/code/code_ranges.hpp"

namespace kumi::mpi {

/// Places in the program that the rules of a policy name: which of them a call comes from.
class NamedSites {
   public:
    static constexpr std::size_t kMost = 64;

    /// Each line of `text` is a place: file name or path of the program or library, a tab, and its
    /// call instructions (CodeRanges). Returns false if the text is not of that form.
    [[nodiscard]] bool read(std::string_view text);
    /// A bit for each place from which the call comes that returns to `caller`, the first line's
    /// the lowest. O(log callers) but for the first call.
    std::uint64_t of_call(const void* caller);

   private:
    std::vector<CodeRanges> x_sites;
    std::map<const void*, std::uint64_t> x_by_caller;
};

}  // namespace kumi::mpi
