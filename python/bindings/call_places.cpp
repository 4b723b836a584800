#include "call_places.hpp"

#include "segment_reading.hpp"
#include "segment_text.hpp"

namespace nb = nanobind;

using namespace kumi;
using namespace kumi::conductor;
using bindings::StateDamaged;
using bindings::text_of;

namespace {

nb::list call_sites_of_rank(std::uint32_t rank, const CallSums& sums) {
    nb::list rows;
    for (const CallSum& sum : sums.places()) {
        // Of a call that has not ended there is nothing.
        if (sum.calls == 0) continue;
        nb::dict row;
        row["rank"] = rank;
        row["function"] = text_of(sum.function.text, sizeof sum.function.text);
        row["module"] = text_of(sum.module, sum.module_bytes);
        row["offset"] = sum.offset;
        row["calls"] = sum.calls;
        row["distance_least_ps"] = sum.least_ps;
        row["distance_most_ps"] = sum.most_ps;
        row["distance_sum_ps"] = sum.sum_ps;
        row["distance_squares_high"] = sum.squares_high;
        row["distance_squares_low"] = sum.squares_low;
        nb::list bins, targets;
        for (const std::uint64_t calls : sum.bins) bins.append(calls);
        row["distance_bins"] = bins;
        row["inside_ps"] = sum.inside.ps;
        row["messages"] = sum.messages;
        row["bytes"] = sum.bytes;
        sums.for_each_target(sum, [&](std::uint32_t target) { targets.append(target); });
        row["targets"] = targets;
        row["communicator_least"] = sum.least_members;
        row["communicator_most"] = sum.most_members;
        rows.append(row);
    }
    return rows;
}

}  // namespace

nb::list matching_sites_of(const ConductorState& state) {
    nb::list rows;
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
        const MatchingSites& sites = state.matching_sites[rank];
        for (std::uint32_t number = 0; number < MatchingSites::kMost; ++number) {
            const Duration spent = sites.account.spent[number];
            if (spent.ps == 0) continue;
            const MatchingSite& site = sites.sites[number];
            rows.append(nb::make_tuple(rank, text_of(site.function.text, sizeof site.function.text),
                                       text_of(site.module, sizeof site.module), site.offset,
                                       spent.ps));
        }
    }
    return rows;
}

nb::list call_sites_of(const ConductorState& state) {
    nb::list rows;
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
        const CallSums& sums = state.call_sums[rank];
        if (!sums.lies_in(*state.arena)) throw StateDamaged("a program has changed a profile");
        rows.extend(call_sites_of_rank(rank, sums));
    }
    return rows;
}
