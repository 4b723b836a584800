#pragma once

#include <cstdint>
#include <vector>

#include "base/time/time.hpp"
#include "network/fabric.hpp"

namespace kumi::network {

/// How a message is cut into packets; sizes on links, headers included.
struct Packets {
    std::uint32_t count = 1;
    std::uint64_t full_bytes = 0;  ///< Of each packet but the last.
    std::uint64_t last_bytes = 0;

    std::uint64_t total_bytes() const { return (count - 1) * full_bytes + last_bytes; }
};

/// `packet_bytes` 0 means one packet. A message of no bytes is one packet too.
inline Packets cut_into_packets(std::uint64_t size_bytes, std::uint64_t packet_bytes,
                                std::uint64_t header_bytes) {
    if (packet_bytes == 0 || size_bytes <= packet_bytes) {
        return {1, size_bytes + header_bytes, size_bytes + header_bytes};
    }
    const std::uint64_t full = (size_bytes - 1) / packet_bytes;
    KUMI_ASSERT(full < 0xFFFFFFFF, "a message has more than 2^32 packets");
    return {static_cast<std::uint32_t>(full + 1), packet_bytes + header_bytes,
            size_bytes - full * packet_bytes + header_bytes};
}

/// One link of a path, as far as time goes.
struct PathStep {
    Duration latency{};             ///< Link, and the switch behind it unless it is the last.
    Duration full_serialisation{};  ///< Of a full packet.
    Duration last_serialisation{};  ///< Of the last packet.
};

/// The time of a message through an idle network, in O(path length): `add` each link in order.
///
/// Closed form: with equal packets, packet k starts on a link k x D after packet 0, where D is the
/// largest serialisation so far; packet 0 and the (shorter) last packet follow the cut-through
/// rule.
class ZeroLoadTime {
   public:
    explicit ZeroLoadTime(std::uint32_t packets) : x_packets(packets) {}

    void add(const PathStep& step);

    /// From entering the source's interface to the last byte at the end of the last link added.
    Duration total() const { return x_last_start + x_step.latency + x_step.last_serialisation; }

   private:
    std::uint32_t x_packets;
    bool x_is_first = true;
    PathStep x_step{};         ///< The last link added.
    Duration x_first_start{};  ///< Of packet 0 on that link.
    Duration x_last_start{};   ///< Of the last packet on that link.
    Duration x_spacing{};      ///< Of full packets on that link.
};

/// For a path that is described, not built. An empty path is the host's loopback.
Duration zero_load_time(const FabricDescription& fabric, const std::vector<LinkId>& path,
                        std::uint64_t size_bytes);

}  // namespace kumi::network
