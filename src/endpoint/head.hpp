#pragma once

#include <cstdint>

#include "base/element.hpp"

namespace kumi::endpoint {

/// What a message is to the protocol.
enum class HeadKind : std::uint8_t {
    kEager = 0,
    kRequestToSend = 1,   ///< The envelope of a large message; its payload waits at the sender.
    kRendezvousData = 2,  ///< The payload, fetched by the receiver.
    kFinished = 3,        ///< The receiver has the payload: the sender's buffer is free.
    kPutDone = 4,
    kGetData = 5,
    // For the driver, not for the protocol.
    kStart = 6,    ///< Of a synchronisation.
    kClosing = 7,  ///< The sender has closed its connection to the target.
};

/// The head of every message, as the network carries it.
struct Head {
    HeadKind kind = HeadKind::kEager;
    bool tagged = true;
    bool has_data = false;             ///< Remote completion data, a field of the completion.
    Element element = Element::kNone;  ///< Of the payload.
    /// Whether the payload's unprotected bits may arrive wrong.
    bool allows_errors : 1 = false;
    /// Whether it is known where they go in symbols; else each link has its own way.
    bool has_order : 1 = false;
    bool important_first : 1 = false;  ///< If so, whether by their significance.
    bool keeps_finite : 1 = false;     ///< Whether no number becomes infinite or NaN by errors.
    /// Its communicator has neither receives from any source nor with any tag: so the sender says.
    bool has_no_wildcards : 1 = false;
    std::uint8_t protected_bits = 0;  ///< Of each number, from the most significant one.
    std::uint8_t function = 0;  ///< The MPI function that has sent it, by a number of the run.
    bool by_datagrams = false;  ///< Envelope and payload, not by a connection.
    std::uint64_t tag = 0;
    std::uint64_t data = 0;
    std::uint64_t size_bytes = 0;      ///< Of the whole MPI message.
    std::uint64_t address = 0;         ///< Of the payload in the sender's memory.
    std::uint64_t origin_request = 0;  ///< Handle of the sender's (or initiator's) request.
    std::uint64_t target_request = 0;  ///< Handle of the receiver's request.
    /// Of a message that allows errors: how many such messages its sender's program has sent to
    /// the same target before.
    std::uint32_t ordinal = 0;
    /// Of the connection that it came by or closes: see endpoint::service::Peer.
    std::uint32_t generation = 0;
};
static_assert(sizeof(Head) == 64);

}  // namespace kumi::endpoint
