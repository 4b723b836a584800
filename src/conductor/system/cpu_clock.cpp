#include "conductor/system/cpu_clock.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>

namespace kumi::conductor {
namespace {

/// Brings a thread's CPU time up to date. Linux does so for those that compute at ticks only, every
/// few milliseconds, and when their policy changes: here to another one that differs in hardly
/// anything, and back.
void refresh(std::int32_t thread) {
    const int policy = ::sched_getscheduler(thread);
    if (policy != SCHED_OTHER && policy != SCHED_BATCH) return;
    const sched_param none{};
    (void)::sched_setscheduler(thread, policy == SCHED_OTHER ? SCHED_BATCH : SCHED_OTHER, &none);
    (void)::sched_setscheduler(thread, policy, &none);
}

/// As clock_getcpuclockid(3) would let one ask for it.
bool read_of_process(std::int32_t process, std::int64_t& time_ns) {
    constexpr std::uint32_t kScheduled = 2;
    const auto clock =
        static_cast<clockid_t>((~static_cast<std::uint32_t>(process) << 3) | kScheduled);
    timespec now{};
    if (::syscall(SYS_clock_gettime, clock, &now) != 0) return false;
    time_ns = static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
    return true;
}

/// The clock of a thread is only for its own process.
bool read_of_thread(std::int32_t process, std::int32_t thread, std::int64_t& time_ns) {
    char text[64];
    std::snprintf(text, sizeof text, "/proc/%d/task/%d/schedstat", process, thread);
    const int file = ::open(text, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t length = ::read(file, text, sizeof text);
    ::close(file);
    // The first of several numbers.
    return length > 0 && std::from_chars(text, text + length, time_ns).ec == std::errc{};
}

}  // namespace

bool read_cpu_clock(std::int32_t process, std::int32_t thread, std::int64_t& time_ns) {
    refresh(thread != 0 ? thread : process);
    return thread != 0 ? read_of_thread(process, thread, time_ns)
                       : read_of_process(process, time_ns);
}

}  // namespace kumi::conductor
