#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>

#include "conductor/records/recorder.hpp"
#include "matching/cost_model.hpp"

/// Values of the dictionary that `Platform.config()` makes. Each throws std::invalid_argument if
/// the key is missing or its value impossible.
std::int64_t take_integer(const nanobind::dict& config, const char* key);
std::int64_t take_positive(const nanobind::dict& config, const char* key);

kumi::conductor::Detail detail(const std::string& name);

/// The costs of `matching`, or if that is absent of `match_cost_ps`.
kumi::matching::CostModel matching_cost(const nanobind::dict& config);
/// Whether the rank's interface matches, and not the rank; by `matching`.
bool matches_by_interface(const nanobind::dict& config);
