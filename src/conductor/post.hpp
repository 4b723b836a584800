#pragma once

#include <cstdint>

#include "conductor/state.hpp"

namespace kumi {

/// Puts a filled message on its way at its `sent` time: into the network in virtual time, to its
/// target at once in real time. The caller holds the baton (virtual) or the real-time lock.
void post(ConductorState& state, std::uint32_t message);

/// The same with a message that has its seal.
void dispatch(ConductorState& state, std::uint32_t message);

/// Executes the next event of the network. Arrivals may make ranks runnable.
void execute_next_event(ConductorState& state);

/// Carries out a request for memory access (kPut, kGet) that has arrived, and sends the answer.
void serve(ConductorState& state, std::uint32_t message);

/// Takes the next message out of a rank's inbox; kNoMessage if it is empty.
std::uint32_t take(ConductorState& state, std::uint32_t rank);

/// Gives a message and its payload back. The caller must have taken it.
void discard(ConductorState& state, std::uint32_t message);

/// The rank, which was blocked or ahead of its clock, goes on when no other has a smaller clock.
void make_runnable(ConductorState& state, std::uint32_t rank);

/// The rank is blocked, from its clock on.
void begin_wait(ConductorState& state, std::uint32_t rank);

/// Puts a stretch of time that ends at the rank's clock on record, and starts another.
void enter_state(ConductorState& state, std::uint32_t rank, RankState next);

/// The stretch that is put on record last waits for what follows: that may be more of it.
void record_last_stretch(ConductorState& state, std::uint32_t rank);

/// Whether `index` is that of a message, or kNoMessage: ranks may write anywhere.
inline bool is_link(const ConductorState& state, std::uint32_t index) {
    return index == kNoMessage || index < state.messages.capacity();
}

/// Why the message `index` cannot be what a rank of this run posted; nullptr if all is well.
const char* find_fault(const ConductorState& state, std::uint32_t index);

}  // namespace kumi
