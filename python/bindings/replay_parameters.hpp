#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

#include "schedule/replay/data/replay_types.hpp"

/// From a dictionary that `Platform.config()` makes, and more. Throws std::invalid_argument if a
/// key is missing or its value impossible.
kumi::schedule::ReplayParameters replay_parameters(const nanobind::dict& config,
                                                   std::vector<std::uint32_t> rank_hosts);
