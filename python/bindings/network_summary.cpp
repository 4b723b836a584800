#include "network_summary.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "link_power.hpp"
#include "row_form.hpp"

namespace nb = nanobind;

using namespace kumi;
using namespace kumi::network;

namespace {

/// Names of hosts and switches as Python's strings, each made once.
class VertexNames {
   public:
    explicit VertexNames(const FabricDescription& fabric) : x_fabric(fabric) {}

    const nb::object& of(std::uint32_t vertex) {
        nb::object& name = x_names[vertex];
        if (!name.is_valid()) name = nb::str(vertex_name(x_fabric, vertex).c_str());
        return name;
    }

   private:
    const FabricDescription& x_fabric;
    std::unordered_map<std::uint32_t, nb::object> x_names;  ///< Of those that were asked for.
};

nb::list link_rows(const FabricDescription& fabric, const Network& network,
                   const std::vector<LinkId>& chosen) {
    const RowForm form{"link",          "name",    "source",  "target",        "bandwidth_bps",
                       "bytes",         "packets", "busy_ps", "queue_wait_ps", "longest_wait_ps",
                       "credit_wait_ps"};
    VertexNames names(fabric);
    nb::list rows;
    for (const LinkId link : chosen) {
        const LinkDescription& about = fabric.links[link];
        const LinkStatistics& statistics = network.link_statistics(link);
        rows.append(form.row(link, link_name(fabric, about), names.of(about.source_vertex),
                             names.of(about.target_vertex), about.bandwidth_bps, statistics.bytes,
                             statistics.packets, statistics.busy.ps, statistics.queue_wait.ps,
                             statistics.longest_wait.ps, network.credit_wait(link).ps));
    }
    return rows;
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
    std::vector<std::int64_t> busy_ps;
    for (const auto& bins : use.busy_ps) busy_ps.insert(busy_ps.end(), bins.begin(), bins.end());
    nb::dict result;
    result["bin_ps"] = use.bin_ps;
    result["bins"] = use.busy_ps.empty() ? 0 : use.busy_ps[0].size();
    result["busy_ps"] = nb::bytes(busy_ps.data(), busy_ps.size() * sizeof(std::int64_t));
    return result;
}

}  // namespace

nb::dict network_summary(const FabricDescription& fabric, const Network& network, Instant end) {
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx",
                  static_cast<unsigned long long>(network.event_hash()));
    const std::vector<LinkId> chosen = chosen_links(network);
    nb::dict result;
    result["events"] = network.event_count();
    result["event_hash"] = std::string(hash);
    result["link_count"] = network.links();
    result["links"] = link_rows(fabric, network, chosen);
    result["link_use"] = link_use_of(network, chosen);
    if (network.power() != nullptr) {
        const Instant power_end = later(end, network.power()->last_asked());
        result["link_power"] = link_power_summary(network, power_end, chosen);
    }
    return result;
}
