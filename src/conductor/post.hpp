#pragma once

#include <cstdint>

#include "conductor/state.hpp"

namespace kumi {

/// Puts a filled message on its way at its `sent` time: into the network in virtual time, to its
/// target at once in real time. The caller holds the baton (virtual) or the real-time lock.
void post(ConductorState& state, std::uint32_t message);

/// The same with a message of a rank, which is numbered and noted first. `is_request`: for data
/// that its target will fetch.
void post_by_rank(ConductorState& state, std::uint32_t message, bool is_request);

/// Executes the next event of the network. Arrivals may make ranks runnable.
void execute_next_event(ConductorState& state);

/// Carries out a request for memory access (kPut, kGet) that has arrived, and sends the answer.
void serve(ConductorState& state, std::uint32_t message);

}  // namespace kumi
