#include "matching_rows.hpp"

namespace nb = nanobind;

namespace {

nb::list depths_of(const kumi::matching::QueueAccount& account) {
    nb::list depths;
    for (const std::uint32_t searches : account.depths) depths.append(searches);
    return depths;
}

}  // namespace

nb::dict matching_row(std::uint32_t rank, const kumi::matching::Account& account) {
    nb::dict row;
    row["rank"] = rank;
    row["time_ps"] = account.spent().ps;
    row["arrivals"] = account.posted.searches;
    row["unexpected"] = account.posted.searches - account.posted.found;
    row["posted_searched"] = account.posted.searched;
    row["posted_time_ps"] = account.posted.spent.ps;
    row["posted_deepest"] = account.posted.deepest;
    row["posted_depths"] = depths_of(account.posted);
    row["receives"] = account.unexpected.searches;
    row["unexpected_searched"] = account.unexpected.searched;
    row["unexpected_time_ps"] = account.unexpected.spent.ps;
    row["unexpected_deepest"] = account.unexpected.deepest;
    row["unexpected_depths"] = depths_of(account.unexpected);
    row["payload_time_ps"] = account.payloads.ps;
    return row;
}
