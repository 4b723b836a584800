#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// The rank looks at all that has arrived, at its clock. Returns whether there was anything.
bool look_at_arrivals(ConductorState& state, std::uint32_t rank);

}  // namespace kumi::conductor
