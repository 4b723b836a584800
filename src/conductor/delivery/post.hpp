#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// Puts a filled message on its way at its `sent` time: into the network in virtual time, to its
/// target at once in real time. The caller holds the baton (virtual) or the real-time lock.
void post(ConductorState& state, std::uint32_t message);

/// The same with a message of a rank, which is numbered and noted first. `is_request`: for data
/// that its target will fetch. `is_sealed`: it has its seal.
void post_by_rank(ConductorState& state, std::uint32_t message, bool is_request, bool is_sealed);

/// What an arrival leaves to be delivered, in this order; kNoMessage: nothing.
struct Arrived {
    std::uint32_t notice = kNoMessage;  ///< For the source, which asked for it.
    std::uint32_t message = kNoMessage;
};

/// The last byte of a message is at its target's interface, which checks it, puts it on record, and
/// carries out what it asks the interface for. Condemns the run if it was damaged.
Arrived arrive(ConductorState& state, std::uint32_t message, Instant when);

/// Carries out a request for memory access (kPut, kGet) that has arrived, and sends the answer.
void serve(ConductorState& state, std::uint32_t message);

}  // namespace kumi::conductor
