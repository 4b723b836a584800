#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/memory/arena.hpp"
#include "conductor/messages/bit_errors.hpp"
#include "network/network.hpp"
#include "schedule/message_errors.hpp"
#include "schedule/operation.hpp"

namespace kumi::schedule {

/// A message of a replay that may arrive with errors.
struct ApproximateMessage {
    std::uint32_t source = 0, target = 0;  ///< Ranks.
    network::HostId source_host = 0, target_host = 0;
    std::uint64_t size_bytes = 0;
    std::uint8_t content = 0;   ///< Operation::content of its send.
    std::uint32_t ordinal = 0;  ///< By which its errors are drawn.
};

/// What messages occupy on links and how many of their bits arrive wrong, in the replay of a
/// schedule that says so. No payload is needed: which bits are wrong does not depend on it.
class ReplayErrors {
   public:
    /// `errors` must outlive this. `seed` is that of all draws.
    ReplayErrors(Arena& arena, const ScheduleErrors& errors, std::uint64_t seed,
                 std::uint32_t ranks);

    /// The tag of a recorded message, else how many such messages `source` has sent to the same
    /// rank before.
    std::uint32_t next_ordinal(std::uint32_t source, const Operation& send);
    /// Counts a message that is sent. False if its path makes no errors, or cannot protect what
    /// must be right: then it is exact.
    bool send(const network::Network& network, const ApproximateMessage& message);
    /// What a payload of which `send` was true occupies; for when it leaves.
    std::uint64_t payload_bytes_on_links(const network::Network& network,
                                         const ApproximateMessage& message);
    /// The same of any exact message.
    std::uint64_t bytes_on_links(const network::Network& network, network::HostId source,
                                 network::HostId target, std::uint64_t size_bytes) const {
        return x_errors->exact_bytes_on_links(network, source, target, size_bytes);
    }
    /// Counts the wrong bits of a message that its target receives.
    void receive(const network::Network& network, const ApproximateMessage& message);

    const conductor::ErrorCounters& counters() const { return x_errors->counters(); }

   private:
    endpoint::Head head_of(const ApproximateMessage& message) const;

    const ScheduleErrors& x_said;
    conductor::BitErrors* x_errors;
    std::vector<std::uint8_t> x_functions;  ///< By content, the number of its function.
    std::unordered_map<std::uint64_t, std::uint32_t> x_sent;  ///< By source and target.
};

}  // namespace kumi::schedule
