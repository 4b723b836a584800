#include "configuration.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "service.hpp"

namespace nb = nanobind;
using namespace kumi;
using namespace kumi::matching;

namespace {

std::uint64_t take_count(const nb::dict& config, const char* key) {
    return static_cast<std::uint64_t>(take_positive(config, key));
}

SearchCost search_cost(const nb::dict& config) {
    SearchComponents components;
    components.per_search = {take_integer(config, "search_ps")};
    components.compare = {take_integer(config, "compare_ps")};
    components.width = take_count(config, "width");
    components.latency = {take_integer(config, "latency_ps")};
    components.cached_latency = {take_integer(config, "cached_latency_ps")};
    // An access brings one envelope at least.
    components.per_access = std::max<std::uint64_t>(
        1, take_count(config, "access_bytes") / take_count(config, "entry_bytes"));
    components.prefetches = nb::cast<std::string>(config["prefetch"]) == "next";
    if (const std::int64_t capacity = take_integer(config, "capacity"); capacity > 0)
        components.capacity = static_cast<std::uint64_t>(capacity);
    components.spilled = {take_integer(config, "spill_ps")};
    components.spilled_per_access = take_count(config, "spill_entries");
    components.buckets = take_count(config, "buckets");
    return SearchCost(components);
}

bool sends_complete_delivered(const std::string& name) {
    if (name == "sent") return false;
    if (name == "delivered") return true;
    throw std::invalid_argument("send_completion must be \"sent\" or \"delivered\", not \"" + name +
                                "\"");
}

endpoint::StartRule start_rule(const std::string& name) {
    if (name == "corrected") return endpoint::StartRule::kCorrected;
    if (name == "printed") return endpoint::StartRule::kPrinted;
    throw std::invalid_argument("start_rule must be \"corrected\" or \"printed\", not \"" + name +
                                "\"");
}

/// Everything about common starts may be left out: few schedules have any.
void take_starts(const nb::dict& config, schedule::ReplayParameters& parameters) {
    if (config.contains("start_bytes"))
        parameters.start_bytes = static_cast<std::uint64_t>(take_integer(config, "start_bytes"));
    if (config.contains("start_rule"))
        parameters.start_rule = start_rule(nb::cast<std::string>(config["start_rule"]));
    if (config.contains("start_jitter_ps"))
        parameters.start_jitter = {take_integer(config, "start_jitter_ps")};
    if (config.contains("start_sides"))
        parameters.start_sides = nb::cast<std::vector<std::uint32_t>>(config["start_sides"]);
}

}  // namespace

std::int64_t take_integer(const nb::dict& config, const char* key) {
    if (!config.contains(key)) throw std::invalid_argument(std::string("missing key ") + key);
    const auto value = nb::cast<std::int64_t>(config[key]);
    if (value < 0) throw std::invalid_argument(std::string(key) + " must not be negative");
    return value;
}

std::int64_t take_positive(const nb::dict& config, const char* key) {
    const std::int64_t value = take_integer(config, key);
    if (value == 0) throw std::invalid_argument(std::string(key) + " must not be zero");
    return value;
}

conductor::Detail detail(const std::string& name) {
    if (name == "full") return conductor::Detail::kFull;
    if (name == "summary") return conductor::Detail::kSummary;
    throw std::invalid_argument("detail must be \"full\" or \"summary\", not \"" + name + "\"");
}

CostModel matching_cost(const nb::dict& config) {
    if (!config.contains("matching"))
        return CostModel::list({take_integer(config, "match_cost_ps")});
    const nb::dict matching = nb::cast<nb::dict>(config["matching"]);
    const nb::dict unexpected = nb::cast<nb::dict>(matching["unexpected"]);
    CostModel cost;
    cost.posted = search_cost(nb::cast<nb::dict>(matching["posted"]));
    cost.unexpected = search_cost(unexpected);
    cost.head_latency = {take_integer(matching, "head_latency_ps")};
    cost.wildcard_lookup = {take_integer(matching, "wildcard_lookup_ps")};
    cost.body_latency = {take_integer(matching, "body_latency_ps")};
    const std::uint64_t entry_bytes = take_count(unexpected, "entry_bytes");
    const std::uint64_t envelope_bytes = take_count(matching, "envelope_bytes");
    if (entry_bytes < envelope_bytes)
        throw std::invalid_argument("envelope_bytes must not be more than the entry's");
    cost.payload_with_head_bytes = entry_bytes - envelope_bytes;
    return cost;
}

bool matches_by_interface(const nb::dict& config) {
    if (!config.contains("matching")) return false;
    const auto by = nb::cast<std::string>(nb::cast<nb::dict>(config["matching"])["by"]);
    if (by == "interface") return true;
    if (by == "host") return false;
    throw std::invalid_argument("by must be \"host\" or \"interface\", not \"" + by + "\"");
}

endpoint::Parameters endpoint_parameters(const nb::dict& config) {
    endpoint::Parameters endpoint;
    endpoint.eager_limit_bytes =
        static_cast<std::uint64_t>(take_integer(config, "eager_limit_bytes"));
    endpoint.sends_complete_delivered =
        sends_complete_delivered(nb::cast<std::string>(config["send_completion"]));
    endpoint.control_bytes = static_cast<std::uint64_t>(take_integer(config, "control_bytes"));
    endpoint.send_overhead = {take_integer(config, "send_overhead_ps")};
    endpoint.receive_overhead = {take_integer(config, "receive_overhead_ps")};
    endpoint.matching = matching_cost(config);
    endpoint.matches_by_interface = matches_by_interface(config);
    if (config.contains("service"))
        endpoint.service = service_parameters(config["service"], config);
    return endpoint;
}

schedule::ReplayParameters replay_parameters(const nb::dict& config,
                                             std::vector<std::uint32_t> rank_hosts) {
    schedule::ReplayParameters parameters;
    parameters.ranks_per_host = static_cast<std::uint32_t>(take_positive(config, "ranks_per_host"));
    parameters.endpoint = endpoint_parameters(config);
    take_starts(config, parameters);
    if (config.contains("seed")) parameters.seed = nb::cast<std::uint64_t>(config["seed"]);
    parameters.rank_hosts = std::move(rank_hosts);
    const std::int64_t limit_ps = take_integer(config, "time_limit_ps");
    if (limit_ps > 0) parameters.time_limit = {limit_ps};
    if (config.contains("allows_truncation"))
        parameters.allows_truncation = nb::cast<bool>(config["allows_truncation"]);
    return parameters;
}
