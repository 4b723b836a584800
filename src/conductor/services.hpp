#pragma once

#include <cstdint>

#include "conductor/state.hpp"

/// Where the service of a rank is asked: when a message leaves it, and when one arrives. Only if
/// the platform has a service.
namespace kumi {

/// A message is to leave at the clock of its source: sets when it does, and how. Returns for how
/// long the rank works after that; what it does before moves its clock.
Duration use_service(ConductorState& state, Message& message);

/// The target looks at a message: if that has come by a connection, the target has it, too.
void accept_connection(ConductorState& state, std::uint32_t message);

/// The rank enters or leaves a region that takes most of its program's time. Regions may be nested.
void begin_kernel(ConductorState& state, std::uint32_t rank);
void end_kernel(ConductorState& state, std::uint32_t rank);

}  // namespace kumi
