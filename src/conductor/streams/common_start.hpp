#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// The clock of `rank` is where it waits for the common start of its RankSlot::start_member, for
/// the first time if it `begins`. Returns whether it goes on from its clock; else it is blocked or
/// stands in the run queue.
bool await_start(ConductorState& state, std::uint32_t rank, bool begins);

}  // namespace kumi::conductor
