#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <vector>

#include "conductor/records/recorder.hpp"
#include "endpoint/parameters.hpp"
#include "matching/cost_model.hpp"
#include "schedule/replay/data/replay_types.hpp"

/// Values of the dictionary that `Platform.config()` makes. Each throws std::invalid_argument if
/// the key is missing or its value impossible.
std::int64_t take_integer(const nanobind::dict& config, const char* key);
std::int64_t take_positive(const nanobind::dict& config, const char* key);

kumi::conductor::Detail detail(const std::string& name);

/// The costs of `matching`, or if that is absent of `match_cost_ps`.
kumi::matching::CostModel matching_cost(const nanobind::dict& config);
/// Whether the rank's interface matches, and not the rank; by `matching`.
bool matches_by_interface(const nanobind::dict& config);

/// The endpoint's part of the configuration of a run or a replay. Throws std::invalid_argument with
/// a plain sentence if a key is missing or impossible.
kumi::endpoint::Parameters endpoint_parameters(const nanobind::dict& config);

/// From a dictionary that `Platform.config()` makes, and more. Throws std::invalid_argument if a
/// key is missing or its value impossible.
kumi::schedule::ReplayParameters replay_parameters(const nanobind::dict& config,
                                                   std::vector<std::uint32_t> rank_hosts);
