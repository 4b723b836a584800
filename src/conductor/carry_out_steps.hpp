#pragma once

#include <cstdint>

#include "conductor/state.hpp"

/// What a rank's process did ahead of the rank's clock (early_receive.hpp) is carried out by
/// whoever holds the baton once the events are there, with the effect that it would have had in
/// time.
namespace kumi {

/// `index` has arrived while `rank` was blocked, whose clock is there by now. Whether its process
/// goes on waiting, or goes on ahead of its clock, all the same.
bool goes_on_waiting(ConductorState& state, std::uint32_t rank, std::uint32_t index);

/// The message at which the deferred steps of `rank` stop has arrived, or its clock has been
/// reached: carries out those that can be. A rank that is in time by this goes on as it would have
/// without them.
void carry_out_steps(ConductorState& state, std::uint32_t rank);

/// A message is on its way to `rank`: fetches memory in advance that will be needed when it
/// arrives.
void expect_arrival(const ConductorState& state, std::uint32_t rank);

}  // namespace kumi
