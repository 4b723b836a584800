#pragma once

#include <cstdint>

#include "conductor/state.hpp"

/// Receiving what has been sent before it is known when it arrives.
///
/// A rank whose MPI call can go on with one message alone goes on with it as soon as that has been
/// sent. When it arrives is found out later, by the events of the network; until then the rank's
/// clock stands still, and what it does is deferred: DeferredSteps. As soon as the message has
/// arrived, whoever executes that event carries out the steps (carry_out_steps.hpp), with the same
/// effect as if the rank had waited for the event itself. A rank without deferred steps is *in
/// time*: only then can it look at its clock, or at what has arrived.
namespace kumi {

/// `index` has been sent, as far as its source is concerned: its target may receive it early.
void list_sent(ConductorState& state, std::uint32_t index);

/// `rank`, its target, takes it: it will not find it again. Does nothing if it is not listed.
void unlist_sent(ConductorState& state, std::uint32_t rank, std::uint32_t index);

/// Lets `rank` go on with the message for which it waits, if that has been sent. Returns whether.
bool receive_early(ConductorState& state, std::uint32_t rank, const AwaitedMessage& awaited);

/// Takes the message that receive_early, or its sender, gave to `rank`; kNoMessage if it was
/// damaged.
std::uint32_t take_early(ConductorState& state, std::uint32_t rank);

/// Whether so much is deferred that events should be executed first. A rank that may be far ahead
/// leaves the baton to those that ran just before it, whose memory is still in the caches; on the
/// other hand, all that is deferred takes memory, too.
inline bool is_much_deferred(const ConductorState& state) {
    constexpr std::uint64_t kMessagesPerRank = 16;
    return state.deferred > kMessagesPerRank * state.rank_count();
}

}  // namespace kumi
