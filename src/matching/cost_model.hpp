#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "matching/search.hpp"
#include "matching/search_cost.hpp"

namespace kumi::matching {

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
    /// Whether what searches did has to be counted.
    Counting counting() const {
        return posted.needs_count() || unexpected.needs_count() ? Counting::kYes : Counting::kNo;
    }
};

}  // namespace kumi::matching
