#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace kumi::conductor {

/// Copies from another rank's memory, as a network interface with RDMA would. Returns false (errno
/// set) if the address is not mapped there or the system forbids it.
[[nodiscard]] bool read_process(pid_t process, std::uint64_t address, void* into,
                                std::size_t size_bytes);

/// Copies into another rank's memory; as read_process.
[[nodiscard]] bool write_process(pid_t process, std::uint64_t address, const void* from,
                                 std::size_t size_bytes);

/// Lets the run's other processes do so with this one, where the system asks for a permission.
void allow_access_by_others();

}  // namespace kumi::conductor
