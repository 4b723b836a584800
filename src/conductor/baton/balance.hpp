#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// What does not add up once all ranks have finished, or none can go on; nullptr if nothing. Each
/// rank is in one of the states there are, and its clock is its own. Each message that was looked
/// at has met a receive, waits for one, or was taken out; each receive that has met a message has
/// paid for it or waits for its payload; and what processes took because it was certain, their
/// ranks have got. If nothing is on its way, all that was sent has arrived. Sets `rank`. O(requests
/// that are not over).
const char* find_imbalance(const ConductorState& state, std::uint32_t& rank);

}  // namespace kumi::conductor
