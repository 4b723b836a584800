#include "configuration.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

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
