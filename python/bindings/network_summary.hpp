#pragma once

#include <nanobind/nanobind.h>

#include "network/fabric.hpp"
#include "network/network.hpp"
#include "row_form.hpp"

/// What a network has done until `end`, for a summary: events, event_hash, link_count, links (a row
/// for each), link_use, and link_power if links save power. With more than kMostLinkRows links
/// there are rows of the busiest ones only.
inline constexpr std::size_t kMostLinkRows = 100'000;
nanobind::dict network_summary(const kumi::network::FabricDescription& fabric,
                               const kumi::network::Network& network, kumi::Instant end);

/// Of the rows of ranks in a summary; see RankSummary in kumihimo.results.
inline RowForm rank_form() {
    return {"rank",      "host",          "compute_ps", "communication_ps",  "wait_ps",
            "finish_ps", "messages_sent", "bytes_sent", "messages_received", "bytes_received"};
}
