#include "matching_columns.hpp"

#include <algorithm>
#include <iterator>

namespace nb = nanobind;

namespace {

/// Numbers of searches by depth, without the empty end.
nb::tuple depths_of(const kumi::matching::QueueAccount& account) {
    const auto is_used = [](std::uint32_t searches) { return searches != 0; };
    const auto end =
        std::find_if(std::rbegin(account.depths), std::rend(account.depths), is_used).base();
    nb::list depths;
    for (const std::uint32_t* searches = account.depths; searches != end; ++searches)
        depths.append(*searches);
    return nb::tuple(depths);
}

}  // namespace

void MatchingColumns::Queue::append(const kumi::matching::QueueAccount& account) {
    searches.append(account.searches);
    searched.append(account.searched);
    time_ps.append(account.spent.ps);
    deepest.append(account.deepest);
    if (last == nullptr || !std::ranges::equal(last->depths, account.depths))
        last_depths = depths_of(account);
    depths.append(last_depths);
    last = &account;
}

void MatchingColumns::append(const kumi::matching::Account& account) {
    x_rank.append(x_ranks++);
    x_time_ps.append(account.spent().ps);
    x_unexpected.append(account.posted.searches - account.posted.found);
    x_payload_time_ps.append(account.payloads.ps);
    x_posted.append(account.posted);
    x_waiting.append(account.unexpected);
}

nb::dict MatchingColumns::to_dict() const {
    nb::dict columns;
    columns["rank"] = x_rank;
    columns["time_ps"] = x_time_ps;
    columns["arrivals"] = x_posted.searches;
    columns["unexpected"] = x_unexpected;
    columns["posted_searched"] = x_posted.searched;
    columns["posted_time_ps"] = x_posted.time_ps;
    columns["posted_deepest"] = x_posted.deepest;
    columns["posted_depths"] = x_posted.depths;
    columns["receives"] = x_waiting.searches;
    columns["unexpected_searched"] = x_waiting.searched;
    columns["unexpected_time_ps"] = x_waiting.time_ps;
    columns["unexpected_deepest"] = x_waiting.deepest;
    columns["unexpected_depths"] = x_waiting.depths;
    columns["payload_time_ps"] = x_payload_time_ps;
    return columns;
}
