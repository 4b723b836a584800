#pragma once

#include <cstdint>

#include "base/time/time.hpp"

namespace kumi::endpoint::service {

/// By what a rank sends to ranks on other hosts.
enum class Kind : std::uint8_t {
    kNone = 0,       ///< Not modelled: it costs nothing.
    kRc = 1,         ///< A connection to each peer, made at the first send to it.
    kUd = 2,         ///< Datagrams, in packets of the MTU.
    kHybrid = 3,     ///< Datagrams at first, then connections until the cap binds.
    kHint = 4,       ///< As kHybrid, but connections are asked for only while IN_KERNEL is 1.
    kOracle = 5,     ///< Connections from the start, where the whole traffic needs them most.
    kHintEvict = 6,  ///< As kHint, but closes connections that it does not use for those it needs.
};

/// What connections and datagrams cost.
struct Parameters {
    Kind kind = Kind::kNone;
    Duration setup_time{};                 ///< From asking for a connection to having it.
    Duration packet_cost{};                ///< Of a datagram, on the processors of both ends.
    std::uint64_t mtu_bytes = 1;           ///< Payload of a datagram, at most. Not zero.
    std::uint64_t connection_cap = 0;      ///< A rank with as many asks for no more.
    std::uint64_t messages_before = 0;     ///< Sent to a peer before a connection is asked for.
    std::uint64_t base_bytes = 0;          ///< Memory of a rank without any peer.
    std::uint64_t connection_bytes = 0;    ///< Of the queues of a connection.
    std::uint64_t eager_buffer_bytes = 0;  ///< Of the eager buffers of a connection.
    std::uint64_t eager_limit_bytes = 0;   ///< For which these are made.
    std::uint64_t pool_bytes = 0;          ///< Of the buffers for datagrams of all peers.
    std::uint64_t budget_bytes = ~std::uint64_t{0};  ///< Memory above which no rank asks.
};

}  // namespace kumi::endpoint::service
