#pragma once

#include "conductor/segment/state.hpp"

namespace kumi {

/// Executes the next event of the network, in virtual time. What arrives goes to the interface of
/// its rank or into its inbox. A blocked rank that it is for goes on, as far as its stream does.
void execute_next_event(ConductorState& state);

}  // namespace kumi
