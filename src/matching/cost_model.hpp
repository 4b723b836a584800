#pragma once

#include <algorithm>
#include <cstdint>

#include "base/time/time.hpp"
#include "matching/search.hpp"

namespace kumi::matching {

/// What a matcher is made of, as far as the time of a search depends on it. Entries lie in memory
/// in order of arrival, the oldest first, and are read in that order until one fits.
struct SearchComponents {
    static constexpr std::uint64_t kUnbounded = ~std::uint64_t{0};

    Duration per_search{};         ///< Whatever is found: starting, hashing, a pipeline's depth.
    Duration compare{};            ///< One step: as many entries as are compared at once.
    std::uint64_t width = 1;       ///< Entries compared in one step.
    Duration latency{};            ///< Of an access to the memory in which they lie.
    Duration cached_latency{};     ///< Of reading one that is at hand already.
    std::uint64_t per_access = 1;  ///< Entries that one access brings.
    bool prefetches = false;       ///< Behind the first access, all in time.
    std::uint64_t capacity = kUnbounded;  ///< Entries that have room; the oldest are there.
    /// Of an access to the entries that have none, with comparing the first that it brings. The
    /// others that it brings are at hand then, and are compared one by one.
    Duration spilled{};
    std::uint64_t spilled_per_access = 1;
    std::uint64_t buckets = 1;  ///< Of a hash table with equally long chains.
};

/// Turns how many entries a list would have looked at into the time that a matcher takes. Plain
/// data.
class SearchCost {
   public:
    SearchCost() = default;
    explicit SearchCost(const SearchComponents& components)
        : x_components(components),
          x_needs_count(components.compare.ps > 0 || components.latency.ps > 0 ||
                        components.cached_latency.ps > 0 || components.spilled.ps > 0) {}

    bool is_free() const { return !x_needs_count && x_components.per_search.ps == 0; }
    /// Whether the number of entries matters.
    bool needs_count() const { return x_needs_count; }

    /// `searched`: entries before the one found and that one, or all.
    Duration of(std::uint64_t searched) const {
        const SearchComponents& is = x_components;
        if (!x_needs_count || searched == 0) return is.per_search;
        const std::uint64_t visited = 1 + (searched - 1) / is.buckets;
        const std::uint64_t near = std::min(visited, is.capacity);
        const std::uint64_t accesses = rounded_up(near, is.per_access);
        const std::uint64_t misses = is.prefetches ? 1 : accesses;
        return is.per_search + is.compare * count(rounded_up(near, is.width)) +
               is.latency * count(misses) + is.cached_latency * count(near - misses) +
               of_spilled(visited - near);
    }

   private:
    Duration of_spilled(std::uint64_t entries) const {
        const SearchComponents& is = x_components;
        const std::uint64_t accesses = rounded_up(entries, is.spilled_per_access);
        return is.spilled * count(accesses) +
               (is.compare + is.cached_latency) * count(entries - accesses);
    }

    static std::uint64_t rounded_up(std::uint64_t entries, std::uint64_t at_once) {
        return (entries + at_once - 1) / at_once;
    }
    static std::int64_t count(std::uint64_t number) { return static_cast<std::int64_t>(number); }

    SearchComponents x_components;
    bool x_needs_count = false;
};

/// The one place that turns the steps of matching into time. Callers decide whether that time
/// passes on the rank's processor or on the interface.
struct CostModel {
    SearchCost posted{};      ///< An arriving message looks for its receive.
    SearchCost unexpected{};  ///< A receive or a probe looks for its message.
    /// Reading the head of a message that has arrived, before its receive is looked for.
    Duration head_latency{};
    /// Reading the payload, if it has not come with the head.
    Duration body_latency{};
    std::uint64_t payload_with_head_bytes = 0;
    /// Looking into the list of entries with wildcards, at each search. Left out where the program
    /// has ruled wildcards out.
    Duration wildcard_lookup{};

    /// A list in the host's memory, walked from the front, in which all entries cost the same.
    static CostModel list(Duration per_entry) {
        const SearchCost cost({.compare = per_entry});
        return {.posted = cost, .unexpected = cost};
    }

    Duration of_arrival(const Search& search, bool has_no_wildcards = false) const {
        return head_latency + of_wildcards(has_no_wildcards) + posted.of(search.searched);
    }
    Duration of_receive(const Search& search, bool has_no_wildcards = false) const {
        return of_wildcards(has_no_wildcards) + unexpected.of(search.searched);
    }
    /// Of a message that has come whole and has found its receive.
    Duration of_payload(std::uint64_t size_bytes) const {
        return size_bytes > payload_with_head_bytes ? body_latency : Duration{};
    }
    Duration of_wildcards(bool has_none) const { return has_none ? Duration{} : wildcard_lookup; }
    /// Whether nothing takes any time.
    bool is_free() const {
        return posted.is_free() && unexpected.is_free() && head_latency.ps == 0 &&
               body_latency.ps == 0 && wildcard_lookup.ps == 0;
    }
    /// Whether what searches did has to be counted.
    Counting counting() const {
        return posted.needs_count() || unexpected.needs_count() ? Counting::kYes : Counting::kNo;
    }
};

}  // namespace kumi::matching
