#pragma once

#include <nanobind/nanobind.h>

#include "endpoint/parameters.hpp"

/// The endpoint's part of the configuration of a run or a replay. Throws std::invalid_argument with
/// a plain sentence if a key is missing or impossible.
kumi::endpoint::Parameters endpoint_parameters(const nanobind::dict& config);
