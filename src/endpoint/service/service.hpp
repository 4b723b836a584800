#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "endpoint/service/account.hpp"
#include "endpoint/service/parameters.hpp"

/// What a send to a peer costs, and when it may leave: functions of instants, without input or
/// output.
namespace kumi::endpoint::service {

/// A message with its envelope: an eager one, or a request to send.
struct Sending {
    Instant at{};                     ///< The rank's clock.
    std::uint64_t size_bytes = 0;     ///< Of what leaves now.
    std::uint64_t fetched_bytes = 0;  ///< Of the payload that the target will fetch.
    bool is_request = false;          ///< Whether it will fetch any.
};

/// How the message leaves.
struct Departure {
    Instant leaves{};
    Duration before{};  ///< The rank works for so long before the message leaves,
    Duration after{};   ///< and for so long after it.
    bool by_datagrams = false;
    std::uint32_t generation = 0;  ///< Of the connection.
};

/// How many datagrams carry `size_bytes`: one at least.
constexpr std::uint64_t packets_of(const Parameters& parameters, std::uint64_t size_bytes) {
    return size_bytes == 0 ? 1 : (size_bytes - 1) / parameters.mtu_bytes + 1;
}

/// How many datagrams the receiver of a message puts together: if the payload `was_requested`, the
/// request to send, of `control_bytes`, was a separate message.
constexpr std::uint64_t packets_received(const Parameters& parameters, std::uint64_t size_bytes,
                                         bool was_requested, std::uint64_t control_bytes) {
    return packets_of(parameters, size_bytes) +
           (was_requested ? packets_of(parameters, control_bytes) : 0);
}

/// What `packets` datagrams cost at either end.
constexpr Duration cost_of(const Parameters& parameters, std::uint64_t packets) {
    return parameters.packet_cost * static_cast<std::int64_t>(packets);
}

/// What both ends work for a message's datagrams, one end after the other, where all messages go by
/// them. Other services are taken to have their connections.
constexpr Duration idle_time(const Parameters& parameters, std::uint64_t size_bytes,
                             bool is_requested, std::uint64_t control_bytes) {
    if (parameters.kind != Kind::kUd) return {};
    return 2 * cost_of(parameters,
                       packets_received(parameters, size_bytes, is_requested, control_bytes));
}

/// Whether the rank closes connections to others for one to the peer, before the message leaves:
/// see closings_needed.
bool may_evict_for(const Parameters& parameters, const Account& account, const Peer& peer);

/// Whether ranks ask for the connections of a schedule before it begins.
constexpr bool asks_for_schedules(const Parameters& parameters) {
    return parameters.kind == Kind::kRc || parameters.kind == Kind::kHybrid ||
           parameters.kind == Kind::kHint || parameters.kind == Kind::kHintEvict;
}

/// Whether messages wait for a connection that was asked for. Datagrams carry them meanwhile with
/// the other services.
constexpr bool waits_for_connections(const Parameters& parameters) {
    return parameters.kind == Kind::kRc;
}

/// Whether a rank that is going to carry out a schedule asks first for the connection to a peer to
/// which the schedule sends. In a region with IN_KERNEL it does so at once: the schedule has
/// the targets of the region.
bool wants_for_schedule(const Parameters& parameters, const Account& account, const Peer& peer);

/// The rank sends to the peer. Not with Kind::kNone.
Departure depart(const Parameters& parameters, Account& account, Peer& peer,
                 const Sending& sending);

}  // namespace kumi::endpoint::service
