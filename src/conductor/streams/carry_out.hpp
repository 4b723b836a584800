#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

/// Carrying out what a rank's process has asked for, when the rank's clock is there: by the
/// process with the baton. What is not certain waits for the events that it needs.
namespace kumi::conductor {

/// All events before the rank's clock have been executed: carries out its stream from there, up to
/// where it must wait. A rank whose stream is empty by this is synchronised; its process goes on.
void carry_out(ConductorState& state, std::uint32_t rank);

/// Lets a process go on that is synchronised and waits for requests or a common start, though it
/// has not got that. False if the rank's process does not wait so.
bool interrupt_wait(ConductorState& state, std::uint32_t rank);

// Profiles of calls.

/// A call begins at the clock of `rank`.
void begin_call(ConductorState& state, std::uint32_t rank);
/// It is about to end there. For runs that profile calls.
void sum_call(ConductorState& state, std::uint32_t rank, std::uint32_t number);

/// The number by which a stream says at which place a call was, and whether it only asks whether
/// something has arrived.
constexpr std::uint32_t number_of(std::uint32_t place, bool only_asks) {
    return 2 * place + (only_asks ? 1 : 0);
}

// The counts of collective calls, and the time in them.

/// A call to one of the functions begins, or ends, at the clock of `rank`. `number` says what
/// became of it, which is known at its end.
void begin_collective(ConductorState& state, std::uint32_t rank);
void end_collective(ConductorState& state, std::uint32_t rank, std::uint32_t number);

/// The number of such a call in a stream.
constexpr std::uint32_t number_of(CollectiveFunction function, CollectiveChoice choice) {
    return static_cast<std::uint32_t>(function) * std::uint32_t{kCollectiveChoices} +
           static_cast<std::uint32_t>(choice);
}

}  // namespace kumi::conductor
