#pragma once

#include <nanobind/nanobind.h>

#include "conductor/segment/state.hpp"

/// The time of matching by rank and place of the program: (rank, function, module, offset, time_ps)
/// for each place with any; the function is empty for what belongs to none.
nanobind::list matching_sites_of(const kumi::conductor::ConductorState& state);

/// What each rank has done in its calls, by place of the program, as the summary's "call_sites".
/// Throws StateDamaged if a program has changed that.
nanobind::list call_sites_of(const kumi::conductor::ConductorState& state);
