#include "network_summary.hpp"

#include <nanobind/stl/string.h>

#include <cstdio>
#include <string>

namespace nb = nanobind;

namespace {

using namespace kumi;

nb::dict link_row(const FabricDescription& fabric, const Network& network, LinkId link) {
    const LinkDescription& about = fabric.links[link];
    const LinkStatistics& statistics = network.link_statistics(link);
    nb::dict row;
    row["name"] = about.name;
    row["source"] = vertex_name(fabric, about.source_vertex);
    row["target"] = vertex_name(fabric, about.target_vertex);
    row["bandwidth_bps"] = about.bandwidth_bps;
    row["bytes"] = statistics.bytes;
    row["packets"] = statistics.packets;
    row["busy_ps"] = statistics.busy.ps;
    row["queue_wait_ps"] = statistics.queue_wait.ps;
    row["longest_wait_ps"] = statistics.longest_wait.ps;
    return row;
}

nb::dict link_use_of(const Network& network) {
    const LinkUseTable use = network.link_use();
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

nb::dict network_summary(const FabricDescription& fabric, const Network& network) {
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx",
                  static_cast<unsigned long long>(network.event_hash()));
    nb::list links;
    for (LinkId link = 0; link < network.links(); ++link) {
        links.append(link_row(fabric, network, link));
    }
    nb::dict result;
    result["events"] = network.event_count();
    result["event_hash"] = std::string(hash);
    result["links"] = links;
    result["link_use"] = link_use_of(network);
    return result;
}
