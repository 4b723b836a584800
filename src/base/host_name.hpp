#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace kumi::inline base {

/// The name that MPI libraries get for this computer, the same on every one: Open MPI's mpirun and
/// its ranks must agree on it, and then look for no other computer.
inline constexpr std::string_view kComputerName = "localhost";

/// Answers a call of `gethostname`; `name` ends with a zero.
inline int answer_host_name(std::string_view name, char* into, std::size_t size_bytes) {
    std::memcpy(into, name.data(), std::min(name.size() + 1, size_bytes));
    if (name.size() < size_bytes) return 0;
    errno = ENAMETOOLONG;
    return -1;
}

}  // namespace kumi::inline base
