#pragma once

#include <optional>

#include "base/shim_table.hpp"
#include "conductor/process/rank_process.hpp"

namespace kumi::provider {

/// What the shim of this process offers; a table of nothing if there is no shim, as in a program
/// that has its own communication library. If shim and provider are of different builds, ends the
/// run with a message and returns nothing.
std::optional<ShimTable> loaded_shim(conductor::RankProcess& process);

}  // namespace kumi::provider
