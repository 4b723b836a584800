#pragma once

// What the network's events carry: what they are about, so that it can be fetched as soon as the
// event is known.

#include <cstdint>

#include "network/ids.hpp"

namespace kumi::network {

/// Of an injection: it is the first of its source's queue.
inline constexpr std::uint64_t kFirstOfQueue = std::uint64_t{1} << 63;
/// Of an arrival: it has happened, of a message that waited for an earlier one of its pair.
inline constexpr std::uint64_t kHeldBack = std::uint64_t{1} << 63;

/// An injection's: the message and its source.
inline std::uint64_t injection_payload(std::uint32_t transit, HostId source) {
    return std::uint64_t{source} << 32 | transit;
}
inline HostId injection_source(std::uint64_t payload) {
    return static_cast<HostId>((payload & ~kFirstOfQueue) >> 32);
}

/// At the far end of a link: the message and its next link, if it has one.
inline std::uint64_t step_payload(std::uint32_t transit, LinkId next) {
    return std::uint64_t{next} << 32 | transit;
}
inline std::uint32_t step_transit(std::uint64_t payload) {
    return static_cast<std::uint32_t>(payload);
}
inline LinkId step_next(std::uint64_t payload) { return static_cast<LinkId>(payload >> 32); }

}  // namespace kumi::network
