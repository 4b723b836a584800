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

/// The rank's program passes a hint.
void take_hint(ConductorState& state, std::uint32_t rank, endpoint::service::Hint hint);

}  // namespace kumi
