#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

/// Messages in the segment, where ranks may write anywhere: whether what lies there can be one, and
/// its end.
namespace kumi::conductor {

/// Why the payload of `message` cannot be one; nullptr if all is well.
const char* find_payload_fault(const ConductorState& state, const Message& message);

/// Why the message `index` cannot be what a rank of this run posted; nullptr if all is well.
const char* find_fault(const ConductorState& state, std::uint32_t index);

/// Why `rank` cannot have been sent the message `index`; nullptr if all is well.
inline const char* find_fault_for(const ConductorState& state, std::uint32_t rank,
                                  std::uint32_t index) {
    if (const char* fault = find_fault(state, index)) return fault;
    return state.messages.at(index).target == rank ? nullptr : "it is for another rank";
}

/// Gives a message and its payload back. The caller must have taken it.
void discard(ConductorState& state, std::uint32_t message);

/// Gives the payload of a message back, unless its target has done so. Ends the run if it cannot
/// be one.
void release_payload(ConductorState& state, Message& message);

}  // namespace kumi::conductor
