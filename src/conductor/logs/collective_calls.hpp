#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

/// The counts of collective calls, and the time in them.
namespace kumi::conductor {

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
