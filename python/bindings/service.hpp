#pragma once

#include <nanobind/nanobind.h>

#include "conductor/state.hpp"

/// The "service" of a run's configuration. Throws std::invalid_argument with a plain sentence if a
/// key is missing or impossible.
kumi::endpoint::service::Parameters service_parameters(nanobind::handle values);

/// By what the ranks sent. Only if the run has a service.
nanobind::dict service_summary(const kumi::ConductorState& state);
