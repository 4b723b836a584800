#pragma once

#include <time.h>

#include <cerrno>

#include "mpi/clocks/program_time.hpp"
#include "mpi/clocks/rank_clock.hpp"
#include "mpi/clocks/real_time.hpp"

namespace kumi::mpi {

/// A deadline on the program's clock `id`, carried over to the system's.
class Deadline {
   public:
    /// Without a valid deadline or clock, the C library shall see the program's arguments.
    Deadline(clockid_t id, const timespec* deadline) : x_system(*deadline) {
        const auto offset_ns = clock_offset_ns(id);
        std::int64_t deadline_ns = 0;
        if (!offset_ns || !to_ns(*deadline, deadline_ns)) return;
        x_elapsed_ns = deadline_ns - *offset_ns;
        // The kernel's own clock starts at zero: earlier is as good as zero.
        const std::int64_t system_ns =
            real_clock_ns(id) + x_elapsed_ns - elapsed_ns(ClockUse::kPeek);
        x_system = to_timespec(system_ns > 0 ? system_ns : 0);
    }

    const timespec* system() const { return &x_system; }

    /// Ends a wait that returned `error`, or -1 and `error` in errno.
    void waited(int error) const {
        if (error == ETIMEDOUT) pass_time(x_elapsed_ns - elapsed_ns(ClockUse::kPeek));
    }

   private:
    timespec x_system;
    std::int64_t x_elapsed_ns = 0;
};

}  // namespace kumi::mpi
