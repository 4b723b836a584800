#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

/// Requests that are complete, which the process of their rank takes from the first on.
namespace kumi::conductor {

/// Adds a request to the end of such a list.
inline void append_complete(endpoint::Requests& requests, std::uint32_t number,
                            std::uint32_t& first, std::uint32_t& last) {
    requests[number].next_complete = endpoint::kNone;
    (last == endpoint::kNone ? first : requests[last].next_complete) = number;
    last = number;
}

/// Takes the oldest complete request of `rank`; endpoint::kNone if there is none.
std::uint32_t take_complete(ConductorState& state, std::uint32_t rank);

/// The rank's process sees what was held back until now.
void show_internal(ConductorState& state, std::uint32_t rank);

/// Gives a complete request that its process has got, and does not wait for, back unless it is
/// needed still.
void retire_taken(ConductorState& state, std::uint32_t request);

/// Gives a request back if it is complete and no longer needed.
inline void retire(ConductorState& state, std::uint32_t number) {
    const endpoint::Request& request = state.requests[number];
    const bool is_complete = request.state == endpoint::RequestState::kComplete;
    if (is_complete && request.is_taken && !request.is_awaited) retire_taken(state, number);
}

}  // namespace kumi::conductor
