#include "replay_parameters.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "configuration.hpp"
#include "endpoint_parameters.hpp"

namespace nb = nanobind;

using namespace kumi;

namespace {

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
