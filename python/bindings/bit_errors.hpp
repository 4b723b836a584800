#pragma once

#include <nanobind/nanobind.h>

#include "conductor/bit_errors.hpp"

/// What `Run.allow_errors` takes. Throws std::invalid_argument with a plain sentence if a key is
/// missing or impossible.
kumi::ErrorPolicy error_policy(nanobind::handle policy);

/// What became of messages that may arrive with errors.
nanobind::dict error_summary(const kumi::ErrorCounters& counters);
