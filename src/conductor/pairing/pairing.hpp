#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"
#include "endpoint/request.hpp"

/// Which message a receive will get, known before it has arrived.
///
/// Messages of one source overtake none of each other, and receives get them in the order in which
/// they were posted. So receives that name their source get, of what that sends, the same messages
/// whenever these arrive: the pairs are made here, as soon as both processes have said what they
/// want, each in its own order. A receive from any source takes whatever arrives first, which is
/// not known; until it has, no receive that was posted after it can be sure of its message.
///
/// Such a *certain* message lets a process run ahead of its rank's clock. The endpoint matches
/// messages all the same when they arrive, and must come to the same pairs: that is checked for
/// every pair, also when processes do not run ahead any more.
namespace kumi::conductor {

/// The process of `rank` posts a receive.
void pair_receive(ConductorState& state, std::uint32_t rank, std::uint32_t request);

/// The process of the message's source sends it.
void pair_message(ConductorState& state, std::uint32_t message);

/// The endpoint of `rank` has matched the two. Condemns the run if they had other partners. O(1).
void confirm_pair(ConductorState& state, std::uint32_t rank, std::uint32_t request,
                  std::uint32_t message);

/// `rank` takes out a message without a receive. Condemns the run if it was promised to one.
void unpair_message(ConductorState& state, std::uint32_t rank, std::uint32_t message);

/// A receive of `rank`, which is synchronised, has been cancelled. If it was to get a message for
/// certain, that may go to another one now: the rank makes no pairs any more.
void withdraw_receive(ConductorState& state, std::uint32_t rank, std::uint32_t request);

/// The receives of `rank`, which is synchronised and makes no pairs any more, may get other
/// messages than those that they were to get for certain, or none. O(n) if there are any.
void dissolve_pairs(ConductorState& state, std::uint32_t rank);

/// Virtual time begins: what is there already counts as if it had been posted and sent just now.
void pair_what_is_there(ConductorState& state, std::uint32_t rank);

/// A request of `rank` has become certain: its process may await it, or that the messages of its
/// other receives are known.
void note_certain(ConductorState& state, std::uint32_t rank, endpoint::Request& request);

}  // namespace kumi::conductor
