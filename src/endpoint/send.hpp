#pragma once

#include <cstdint>

#include "endpoint/head.hpp"
#include "endpoint/parameters.hpp"

namespace kumi::endpoint {

/// Whether a message goes by rendezvous: a request to send first, its payload when it is matched.
/// Up to the eager limit a message travels with its envelope.
constexpr bool is_requested(std::uint64_t size_bytes, std::uint64_t eager_limit_bytes) {
    return size_bytes > eager_limit_bytes;
}

/// How a message leaves its sender, once this has spent its overhead.
struct Departure {
    bool is_requested;
    bool is_awaited;               ///< Its send is complete when the receiver has it, not at once.
    std::uint64_t envelope_bytes;  ///< In the network: all of the message if it is eager.

    /// @param parameters  Of the endpoint. Its eager limit is the least one: hints may raise it.
    Departure(const Parameters& parameters, std::uint64_t size_bytes,
              std::uint64_t eager_limit_bytes)
        : is_requested(endpoint::is_requested(size_bytes, eager_limit_bytes)),
          is_awaited(is_requested || parameters.sends_complete_delivered),
          envelope_bytes(is_requested ? parameters.control_bytes : size_bytes) {}

    /// Completes the head of a message of which `request` at the sender awaits the end.
    void announce(Head& head, std::uint64_t request) const {
        if (is_requested) head.kind = HeadKind::kRequestToSend;
        head.origin_request = request;
    }
};

}  // namespace kumi::endpoint
