#pragma once

#include <cstdint>
#include <utility>

#include "conductor/segment/state.hpp"

/// What has arrived for a rank and was not looked at yet.
namespace kumi::conductor {

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

}  // namespace kumi::conductor
