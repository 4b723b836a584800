#pragma once

#include <cstdint>

#include "conductor/state.hpp"

/// Receiving for a rank that sleeps.
///
/// A rank may have posted several receives when it waits, in a call that ends only when certain
/// ones of them have their messages (MPI_Waitall). It need not be woken for each message that
/// arrives: whoever executes the event charges the rank what looking for its receive and receiving
/// it cost, when the rank would have done that, and the rank's process finds all of them when it is
/// needed.
namespace kumi {

/// `rank`, which is in time and was asleep, looks at all that has arrived. Whether it sleeps on;
/// otherwise its process must go on, at the clock that it has then.
bool receive_asleep(ConductorState& state, std::uint32_t rank);

}  // namespace kumi
