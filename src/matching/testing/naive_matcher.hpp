#pragma once

#include <cstdint>
#include <set>

#include "matching/cost_model.hpp"

namespace kumi::matching {

/// A matcher that is carried out entry by entry: it reads memory through a cache of lines, compares
/// in steps, and walks one chain of a hash table. SearchCost says the same in closed form.
class NaiveMatcher {
   public:
    explicit NaiveMatcher(const SearchComponents& components) : x_is(components) {}

    /// The entries are numbered by their age; the last of `searched` is found, or none.
    Duration search(std::uint64_t searched) const {
        Duration time = x_is.per_search;
        std::set<std::uint64_t> lines;
        std::uint64_t in_chain = 0;
        for (std::uint64_t entry = 0; entry < searched; ++entry) {
            // Neighbours are in different buckets; the one found, or else the last, says which.
            if (entry % x_is.buckets != (searched - 1) % x_is.buckets) continue;
            time += visit(in_chain++, lines);
        }
        return time;
    }

   private:
    Duration visit(std::uint64_t place, std::set<std::uint64_t>& lines) const {
        if (place >= x_is.capacity) {
            const bool is_first = (place - x_is.capacity) % x_is.spilled_per_access == 0;
            return is_first ? x_is.spilled : x_is.compare + x_is.cached_latency;
        }
        Duration time{};
        const std::uint64_t line = place / x_is.per_access;
        const bool is_there = lines.contains(line) || (x_is.prefetches && !lines.empty());
        time += is_there ? x_is.cached_latency : x_is.latency;
        lines.insert(line);
        if (place % x_is.width == 0) time += x_is.compare;  // the first of a step
        return time;
    }

    SearchComponents x_is;
};

}  // namespace kumi::matching
