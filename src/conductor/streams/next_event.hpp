#pragma once

#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// Executes the next event of the network, in virtual time. What arrives goes to the interface of
/// its rank or into its inbox. A blocked rank that it is for goes on, as far as its stream does.
void execute_next_event(ConductorState& state);

/// Whether the next event puts into the memory of a process that is away, or gets from it. It has
/// to wait then: what the program does meanwhile belongs to the time at which the process went, and
/// on one core it is done before all that happens later.
bool next_event_meets_program(const ConductorState& state);

}  // namespace kumi::conductor
