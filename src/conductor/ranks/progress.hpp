#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// A time before which the rank's process, which is away, will ask for nothing: what it has
/// computed until now is in its rank's clock when it is back. Its stream is empty. Never after the
/// limit of time.
Instant reached_by(const ConductorState& state, std::uint32_t rank);

/// Whether the calling process has no other thread.
bool has_one_thread();

}  // namespace kumi::conductor
