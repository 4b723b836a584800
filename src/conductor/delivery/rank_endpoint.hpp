#pragma once

#include <cstdint>

#include "conductor/delivery/services.hpp"
#include "conductor/delivery/start_packet.hpp"
#include "conductor/segment/state.hpp"
#include "endpoint/protocol.hpp"

namespace kumi::conductor {

/// The endpoint of one rank at the rank's clock. Made for one thing that happens to it; the caller
/// holds the baton, or in real time the lock.
class RankEndpoint : protected endpoint::Driver {
   public:
    RankEndpoint(ConductorState& state, std::uint32_t rank)
        : x_state(state),
          x_rank(rank),
          x_protocol({state.configuration.endpoint, *state.arena, state.requests},
                     state.slot(rank).endpoint, *this) {}

    endpoint::Protocol& protocol() { return x_protocol; }
    /// A message has arrived, which is for the endpoint alone.
    void look_at(std::uint32_t message) {
        if (x_state.messages.at(message).head.kind == endpoint::HeadKind::kStart)
            return hear_start(x_state, message);
        if (x_state.messages.at(message).head.kind == endpoint::HeadKind::kClosing)
            return hear_closing(x_state, message);
        // What its interface looks at, the rank has yet to take.
        const bool is_ranks = !x_state.ranks[x_rank].endpoint.by_interface;
        if (x_state.services != nullptr && is_ranks) accept_connection(x_state, message);
        x_protocol.arrived(kept(message));
    }
    /// The rank takes what its interface has delivered.
    void take(std::uint32_t request) {
        const endpoint::Request& taken = x_state.requests[request];
        if (x_state.services != nullptr && taken.kind == endpoint::RequestKind::kReceive)
            accept_connection(x_state, taken.message);
        x_protocol.take(request);
    }

   protected:
    ConductorState& state() { return x_state; }
    std::uint32_t rank() const { return x_rank; }
    std::uint32_t prepare_control(std::uint32_t target, const endpoint::Head& head);
    std::uint32_t prepare_fetch(std::uint32_t target, std::uint64_t size_bytes,
                                const endpoint::Head& head);

    void charge(Duration span) override;
    Instant now() const override;
    void send(std::uint32_t target, const endpoint::Head& head) override;
    void fetch(std::uint32_t target, std::uint64_t size_bytes, const endpoint::Head& head) override;
    void release(std::uint32_t message) override;
    endpoint::Arrival kept(std::uint32_t message) override;
    void matched(std::uint32_t request, std::uint32_t message) override;
    void delivered(std::uint32_t request, endpoint::Delivery kind) override;
    void completed(std::uint32_t request) override;

   private:
    ConductorState& x_state;
    std::uint32_t x_rank;
    endpoint::Protocol x_protocol;
};

}  // namespace kumi::conductor
