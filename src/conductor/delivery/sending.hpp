#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// Sends a message at the clock of its source, or later if the rank's service says so.
/// `is_request`: for data that its target will fetch.
void send_now(ConductorState& state, std::uint32_t message, bool is_request);

}  // namespace kumi::conductor
