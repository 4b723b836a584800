#pragma once

#include <cstdint>

#include "matching/queue.hpp"

namespace kumi::conductor {

/// Receives and messages of one rank that have no partner yet; see pairing.hpp. Plain data in the
/// segment.
struct Pairing {
    /// Receives that name their source, before the first from any source, in the program's order.
    matching::PostedQueue open;
    /// The first receive from any source, and all receives that were posted after it.
    matching::PostedQueue behind;
    matching::UnexpectedQueue sent;  ///< To it, in the order in which each source has sent.
    std::uint32_t pairs = 0;         ///< Whose receive has not got the message yet.
    /// One of the messages that were sent to it so far is to be answered.
    bool has_synchronous = false;

    /// Whether the MPI library need answer none of the messages for which receives were posted.
    bool needs_no_answer() const { return open.empty() && behind.empty() && !has_synchronous; }
};

}  // namespace kumi::conductor
