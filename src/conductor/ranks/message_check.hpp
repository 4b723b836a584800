#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

/// Ranks may write anywhere in the segment: whether a message there can be one.
namespace kumi::conductor {

/// Why the payload of `message` cannot be one; nullptr if all is well.
const char* find_payload_fault(const ConductorState& state, const Message& message);

/// Why the message `index` cannot be what a rank of this run posted; nullptr if all is well.
const char* find_fault(const ConductorState& state, std::uint32_t index);

/// Why `rank` cannot have been sent the message `index`; nullptr if all is well.
const char* find_fault_for(const ConductorState& state, std::uint32_t rank, std::uint32_t index);

}  // namespace kumi::conductor
