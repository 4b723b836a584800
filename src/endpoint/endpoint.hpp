#pragma once

#include <cstdint>

#include "endpoint/interface.hpp"
#include "endpoint/request.hpp"
#include "matching/account.hpp"
#include "matching/depth_line.hpp"
#include "matching/queue.hpp"

namespace kumi::endpoint {

/// What one rank's endpoint knows. Plain data: it may lie in a segment. All that happens to it,
/// Protocol does.
struct Endpoint {
    // Tagged messages, and the others.
    matching::PostedQueue posted[2];
    matching::UnexpectedQueue unexpected[2];
    /// Requests that are complete and were not taken yet, in that order.
    std::uint32_t first_complete = kNone;
    std::uint32_t last_complete = kNone;
    /// Whether the rank's interface matches, at its own time: only in virtual time.
    bool by_interface = false;
    InterfaceTimeLine interface;
    Deliveries deliveries;  ///< Requests.
    /// When the first message came to the unexpected ones since the rank has looked; kNever if none
    /// has. A rank that probes waits for that.
    Instant unexpected_since = kNever;
    /// Sends, remote accesses and rendezvous payloads that are not over.
    std::uint32_t under_way = 0;
    // Every message pays for these once.
    std::uint64_t envelopes = 0;   ///< That have been looked at.
    std::uint64_t matches = 0;     ///< Receives that have got a message.
    std::uint64_t receptions = 0;  ///< Messages for which the receive overhead was paid.
    std::uint64_t claims = 0;      ///< Messages that were taken out without a receive.
    bool keeps_account = false;    ///< Of matching: in virtual time.
    matching::Account account;
    /// In virtual time, if the run distinguishes the places of calls; else nullptr.
    matching::SiteAccount* sites = nullptr;
    /// In virtual time, if the depths of the queues of tagged messages are noted; else nullptr.
    matching::DepthLine* depths = nullptr;
    std::uint64_t datagrams = 0;  ///< For which their cost was paid.
};

}  // namespace kumi::endpoint
