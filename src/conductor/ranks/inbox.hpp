#pragma once

#include <cstdint>
#include <utility>

#include "conductor/segment/state.hpp"

/// What has arrived for a rank and was not looked at yet, and the end of a message. Ranks may write
/// anywhere in the segment: whether a message there can be one.
namespace kumi::conductor {

/// Why the payload of `message` cannot be one; nullptr if all is well.
const char* find_payload_fault(const ConductorState& state, const Message& message);

/// Why the message `index` cannot be what a rank of this run posted; nullptr if all is well.
const char* find_fault(const ConductorState& state, std::uint32_t index);

/// Why `rank` cannot have been sent the message `index`; nullptr if all is well.
const char* find_fault_for(const ConductorState& state, std::uint32_t rank, std::uint32_t index);

/// Takes the next message out of a rank's inbox; kNoMessage if it is empty or
/// damaged, for which the run is condemned.
std::uint32_t take(ConductorState& state, std::uint32_t rank);
/// The same with another list of what has arrived.
std::uint32_t take_from(ConductorState& state, std::uint32_t rank, Inbox& list);

/// Condemns the run: what `rank` was to take makes no sense, and nothing behind it can be trusted
/// either. Returns kNoMessage.
std::uint32_t reject(ConductorState& state, std::uint32_t rank, const char* fault);

/// Calls `look(index, message)` with what is in the inbox of `rank`, in the order of arrival, until
/// it says true. Condemns the run if the inbox is broken.
template <class Look>
void look_through(ConductorState& state, std::uint32_t rank, Look&& look) {
    if (state.slot(rank).inbox.look_through(state.messages, std::forward<Look>(look))) return;
    state.condemn(VerdictKind::kCorrupt, rank, 0, Inbox::kBroken);
}

/// Gives a message and its payload back. The caller must have taken it.
void discard(ConductorState& state, std::uint32_t message);

/// Gives the payload of a message back, unless its target has done so. Ends the run if it cannot
/// be one.
void release_payload(ConductorState& state, Message& message);

}  // namespace kumi::conductor
