#pragma once

#include <sys/syscall.h>
#include <time.h>

#include <cstdint>

#include "base/system_call.hpp"

namespace kumi::mpi {

/// The system's clock `id`, asked of the kernel itself: at any time, also before the C library can
/// look functions up. Returns 0, or an error number.
inline int kernel_clock_gettime(clockid_t id, timespec* time) {
    return static_cast<int>(-call_kernel(SYS_clock_gettime, static_cast<std::uintptr_t>(id),
                                         reinterpret_cast<std::uintptr_t>(time)));
}

}  // namespace kumi::mpi
