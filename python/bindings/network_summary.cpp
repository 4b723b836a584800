#include "network_summary.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "link_power.hpp"

namespace nb = nanobind;

namespace {

using namespace kumi;

nb::dict link_row(const FabricDescription& fabric, const Network& network, LinkId link) {
    const LinkDescription& about = fabric.links[link];
    const LinkStatistics& statistics = network.link_statistics(link);
    nb::dict row;
    row["link"] = link;
    row["name"] = link_name(fabric, about);
    row["source"] = vertex_name(fabric, about.source_vertex);
    row["target"] = vertex_name(fabric, about.target_vertex);
    row["bandwidth_bps"] = about.bandwidth_bps;
    row["bytes"] = statistics.bytes;
    row["packets"] = statistics.packets;
    row["busy_ps"] = statistics.busy.ps;
    row["queue_wait_ps"] = statistics.queue_wait.ps;
    row["longest_wait_ps"] = statistics.longest_wait.ps;
    row["credit_wait_ps"] = network.credit_wait(link).ps;
    return row;
}

/// All links, or the busiest that carried something; ascending.
std::vector<LinkId> chosen_links(const Network& network) {
    std::vector<LinkId> links(network.links());
    std::iota(links.begin(), links.end(), LinkId{0});
    if (links.size() <= kMostLinkRows) return links;
    std::erase_if(links, [&](LinkId link) { return network.link_statistics(link).packets == 0; });
    if (links.size() > kMostLinkRows) {
        const auto is_busier = [&](LinkId one, LinkId other) {
            const Duration busy = network.link_statistics(one).busy;
            const Duration other_busy = network.link_statistics(other).busy;
            return busy != other_busy ? busy > other_busy : one < other;
        };
        std::nth_element(links.begin(), links.begin() + kMostLinkRows, links.end(), is_busier);
        links.resize(kMostLinkRows);
        std::sort(links.begin(), links.end());
    }
    return links;
}

nb::dict link_use_of(const Network& network, const std::vector<LinkId>& links) {
    const LinkUseTable use = network.link_use(links);
    nb::list rows;
    for (const auto& bins : use.busy_ps) {
        nb::list row;
        for (const std::int64_t busy_ps : bins) row.append(busy_ps);
        rows.append(row);
    }
    nb::dict result;
    result["bin_ps"] = use.bin_ps;
    result["busy_ps"] = rows;
    return result;
}

}  // namespace

nb::dict network_summary(const FabricDescription& fabric, const Network& network, Instant end) {
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx",
                  static_cast<unsigned long long>(network.event_hash()));
    const std::vector<LinkId> chosen = chosen_links(network);
    nb::list links;
    for (const LinkId link : chosen) links.append(link_row(fabric, network, link));
    nb::dict result;
    result["events"] = network.event_count();
    result["event_hash"] = std::string(hash);
    result["link_count"] = network.links();
    result["links"] = links;
    result["link_use"] = link_use_of(network, chosen);
    if (network.power() != nullptr) {
        const Instant power_end = later(end, network.power()->last_asked());
        result["link_power"] = link_power_summary(network, power_end, chosen);
    }
    return result;
}
