#include "step_checks.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>

#include "schedule/patterns/patterns.hpp"

namespace nb = nanobind;

using namespace kumi;
using namespace kumi::schedule;

StepCheck checked_steps(const std::vector<StepMessage>& messages, std::uint32_t ranks,
                        const DescribedNetwork& network,
                        const std::vector<std::uint32_t>& rank_hosts) {
    if (rank_hosts.size() != ranks) {
        throw ScheduleError("there are " + std::to_string(ranks) + " ranks and the hosts of " +
                            std::to_string(rank_hosts.size()));
    }
    for (const std::uint32_t host : rank_hosts) {
        if (host < network.fabric().hosts) continue;
        throw ScheduleError("there is no host " + std::to_string(host) + ", only 0 to " +
                            std::to_string(network.fabric().hosts - 1));
    }
    return check_steps(messages, network.routing(), network.fabric(), rank_hosts);
}

Delivery checked_delivery(const std::string& name, collectives::PatternParameters parameters) {
    if (name.rfind("alltoall/", 0) != 0) {
        throw ScheduleError("the delivery of blocks is checked for alltoall, not for " + name);
    }
    if (parameters.ranks > kMostCheckedRanks) {
        throw ScheduleError("the delivery of blocks is checked for at most " +
                            std::to_string(kMostCheckedRanks) + " ranks, not for " +
                            std::to_string(parameters.ranks));
    }
    parameters.size_bytes = 1;
    return check_delivery(*make_pattern(name, parameters), parameters.ranks);
}

nb::dict dict_of(const StepCheck& check, const DescribedNetwork& network) {
    const auto most = [&](std::uint64_t StepTotals::* total) {
        std::uint64_t value = 0;
        for (const StepTotals& rank : check.ranks) value = std::max(value, rank.*total);
        return value;
    };
    nb::dict result;
    result["ranks"] = check.ranks.size();
    result["steps"] = check.steps;
    result["messages"] = check.messages;
    result["startups"] = most(&StepTotals::startups);
    result["bytes"] = most(&StepTotals::size_bytes);
    result["hops"] = most(&StepTotals::hops);
    result["shared_links"] = check.shared_links;
    result["first_shared"] = nb::none();
    if (!check.first_shared) return result;
    nb::dict shared;
    shared["step"] = check.first_shared->step;
    shared["link"] = link_name(network.fabric(), network.fabric().links[check.first_shared->link]);
    shared["first"] =
        nb::make_tuple(check.first_shared->first.first, check.first_shared->first.second);
    shared["second"] =
        nb::make_tuple(check.first_shared->second.first, check.first_shared->second.second);
    result["first_shared"] = shared;
    return result;
}

nb::dict dict_of(const Delivery& delivery) {
    nb::dict result;
    result["blocks"] = delivery.blocks;
    result["wrong"] = delivery.wrong;
    result["first_wrong"] = delivery.first_wrong;
    return result;
}
