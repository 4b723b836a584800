#pragma once

#include <cstdint>
#include <span>

#include "conductor/port/rank_port.hpp"
#include "conductor/port/wake_request.hpp"

namespace kumi::conductor {

/// A rank's end of the conductor for code that wakes links in advance.
class WakePort : public RankPort {
   public:
    explicit WakePort(RankProcess& process) : RankPort(process) {}

    /// Whether wake frames do anything in this run.
    bool takes_wake_frames() const { return x_state->network->takes_wake_frames(); }
    /// See Network::wake_lead.
    Duration wake_lead(std::uint32_t source, std::uint32_t target) {
        const Visit visit(x_process);
        return x_state->network->wake_lead(x_state->slot(source).host, x_state->slot(target).host);
    }
    /// Links that are idle for no longer save nothing by sleeping. Only if they take wake frames.
    Duration shortest_sleep() const { return x_state->network->power()->shortest_announced_idle(); }
    /// The interface sends wake frames: all that are asked for at once cost the rank the time of
    /// ringing its doorbell once. Does nothing outside virtual time, or if links take no wake
    /// frames.
    void wake(std::span<const WakeRequest> requests);
    /// What that costs.
    Duration wake_cost() const { return configuration().wake_cost; }
    /// The same for frames that the interface has got before, with timers: it costs nothing.
    void wake_by_timer(std::span<const WakeRequest> requests);
    /// The rank waits until links that it has asked for are awake.
    void await_links(Duration span) {
        const Visit visit(x_process);
        synchronise();
        idle(span);
    }
    /// What the rank has sent since its present, or last, MPI call began. Empty if links take no
    /// wake frames and calls are not profiled.
    std::span<const SentMessage> sent_in_call() const {
        return x_slot->sent == nullptr ? std::span<const SentMessage>() : x_slot->sent->all();
    }
    /// When that call began.
    Instant call_begin() const { return x_slot->call.begin; }

   private:
    void send_wake_frames(std::span<const WakeRequest> requests);
};

}  // namespace kumi::conductor
