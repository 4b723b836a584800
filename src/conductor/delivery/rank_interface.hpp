#pragma once

#include <cstdint>

#include "conductor/delivery/rank_endpoint.hpp"

/// A rank's network interface, where it matches messages in parallel with the rank: at the time of
/// its endpoint::InterfaceTimeLine. The rank takes what has ended there when it looks.
///
/// Whatever comes to an interface comes in the order of time: messages when they arrive; what the
/// rank asks for when all that arrives before the rank's clock has.
namespace kumi::conductor {

/// The endpoint of one rank at its interface: made for one thing that comes to it at `now`.
class RankInterface final : public RankEndpoint {
   public:
    RankInterface(ConductorState& state, std::uint32_t rank, Instant now)
        : RankEndpoint(state, rank), x_now(now) {}

    /// When what came is over.
    Instant now() const override { return x_now; }

   private:
    void charge(Duration span) override;
    void send(std::uint32_t target, const endpoint::Head& head) override;
    void fetch(std::uint32_t target, std::uint64_t size_bytes, const endpoint::Head& head) override;
    void delivered(std::uint32_t request, endpoint::Delivery kind) override;

    void send_by_interface(std::uint32_t message);

    Instant x_now;
};

/// Whether a message is for the interface of its target, and not for the rank itself.
inline bool is_for_interface(const ConductorState& state, const Message& message) {
    return state.ranks[message.target].endpoint.by_interface &&
           message.action == ArrivalAction::kDeliver &&
           message.head.kind != endpoint::HeadKind::kStart &&
           message.head.kind != endpoint::HeadKind::kClosing;
}

/// Such a message has arrived just now.
void arrive_at_interface(ConductorState& state, std::uint32_t message);

/// Posts a receive at the rank's clock, to its interface or to the rank itself.
void post_receive_now(ConductorState& state, std::uint32_t rank, std::uint32_t request);

/// Virtual time begins, or is over: what is under way between ranks and their interfaces ends.
void hand_over_to_interfaces(ConductorState& state);
void take_over_from_interfaces(ConductorState& state);

}  // namespace kumi::conductor
