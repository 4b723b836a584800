#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

/// The packets by which ranks synchronise for a common start, as messages.
namespace kumi::conductor {

/// A message from rank `source` to rank `target`, whose part in the group is `member`: the source
/// has entered the round of `label`. `margin`: how much farther than the target the farthest rank
/// of the round is. The caller sends it.
std::uint32_t prepare_start(ConductorState& state, std::uint32_t source, std::uint32_t target,
                            StartMember& member, Duration margin,
                            endpoint::Synchroniser::Label label);

/// A packet of a synchronisation has arrived, and its target looks at it.
void hear_start(ConductorState& state, std::uint32_t message);

}  // namespace kumi::conductor
