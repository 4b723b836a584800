#pragma once

#include <cstddef>
#include <cstdint>

/// What the shim knows and the provider asks, two libraries in the process of one rank.
namespace kumi {

/// Writes the numbers of the MPI calls that have started the receives without which the present one
/// cannot end, as far as they are known and there is room. Returns how many were written.
using NeededReceives = std::size_t (*)(std::uint32_t* calls, std::size_t room);

/// The name under which the shim exports it.
inline constexpr const char* kNeededReceivesSymbol = "kumi_needed_receives";

}  // namespace kumi
