#pragma once

#include <cstdint>

#include "network/routing/route_table.hpp"

namespace kumi::network {

/// A message on its way: one cache line.
struct alignas(64) Transit {
    std::uint64_t cookie = 0;
    std::uint64_t size_bytes = 0;
    std::uint64_t last_packet_bytes = 0;  ///< With its header.
    std::uint32_t packets = 0;
    std::uint32_t packets_delivered = 0;
    TransitPath path;
};
static_assert(sizeof(Transit) == 64);

}  // namespace kumi::network
