#pragma once

#include <nanobind/nanobind.h>

#include "conductor/messages/bit_errors.hpp"

/// What `Run.allow_errors` takes. Throws std::invalid_argument with a plain sentence if a key is
/// missing or impossible.
kumi::conductor::ErrorPolicy error_policy(nanobind::handle policy);

/// What became of messages that may arrive with errors, in a run or in a replay, which knows
/// neither payloads nor rules: what follows from these is None.
nanobind::dict error_summary(const kumi::conductor::ErrorCounters& counters,
                             bool is_replay = false);
