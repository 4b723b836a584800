#pragma once

#include <cstdint>

namespace kumi::network {

/// A vertex of the fabric below `FabricDescription::hosts`.
using HostId = std::uint32_t;
/// An index into `FabricDescription::links`.
using LinkId = std::uint32_t;

}  // namespace kumi::network
