#pragma once

#include <cstdint>
#include <string>

namespace kumi::inline base {

/// The memory that this process should get along with, in bytes: what the environment variable
/// KUMI_MEMORY says, else the memory of the computer or, where that is less, the limit of a cgroup
/// that the process is in. Decides where large arrays lie, never what is computed.
///
/// Throws std::invalid_argument if KUMI_MEMORY is no size.
std::uint64_t memory_budget_bytes();

/// Reads "4096", "512 MiB" or "1GiB": a whole number of bytes, KiB, MiB or GiB. Throws
/// std::invalid_argument.
std::uint64_t parse_memory_size(const std::string& text);

}  // namespace kumi::inline base
