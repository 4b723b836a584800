#pragma once

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>

namespace kumi::conductor {

/// A clock of this computer, by the kernel: the shim stands before the C library's functions.
inline std::int64_t read_host_clock_ns(clockid_t clock) {
    timespec now{};
    ::syscall(SYS_clock_gettime, clock, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// Real time, on the clock that Python calls time.monotonic; never part of a result.
inline std::int64_t real_ns() { return read_host_clock_ns(CLOCK_MONOTONIC); }

/// What a look at it takes, here and now: some hundred nanoseconds.
std::int64_t real_clock_cost_ns();

/// Real time in steps of some milliseconds, within nanoseconds.
std::int64_t coarse_real_ns();

/// CPU time of all threads of this process.
inline std::int64_t process_cpu_ns() { return read_host_clock_ns(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace kumi::conductor
