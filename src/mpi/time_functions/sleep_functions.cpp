// The program's sleeps. In virtual time they cost no real time.

#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/program_calls.hpp"
#include "mpi/clocks/program_time.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/export.hpp"
#include "mpi/time_functions/skipped_sleeps.hpp"

using namespace kumi::mpi;

namespace {

/// Returns 0 or an error number, as clock_nanosleep. Nothing interrupts a virtual sleep: signals
/// arrive in real time.
int sleep_for(std::int64_t span_ns, timespec* remaining) {
    const bool in_real_time = !sleeps_in_virtual_time();
    const int error = in_real_time ? real_sleep(span_ns, remaining) : 0;
    if (error == 0) pass_time(span_ns);
    return error;
}

constinit NextFunction next_clock_nanosleep{::clock_nanosleep, "clock_nanosleep"};

}  // namespace

int kumi::mpi::program_sleep(clockid_t id, int flags, const timespec* request,
                             timespec* remaining) {
    const auto offset_ns = clock_offset_ns(id);
    // Until so much CPU time is used: by other threads.
    if (!offset_ns) return next_clock_nanosleep(id, flags, request, remaining);
    std::int64_t time_ns = 0;
    if (!to_ns(*request, time_ns)) return EINVAL;
    if ((flags & TIMER_ABSTIME) == 0) return sleep_for(time_ns, remaining);
    const std::int64_t now_ns = *offset_ns + elapsed_ns(ClockUse::kPeek);
    // What remains of a sleep until a deadline is the caller's to know.
    return sleep_for(time_ns - now_ns, nullptr);
}

KUMI_EXPORT int clock_nanosleep(clockid_t id, int flags, const timespec* request,
                                timespec* remaining) {
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next_clock_nanosleep(id, flags, request, remaining);
    return program_sleep(id, flags, request, remaining);
}

KUMI_EXPORT int nanosleep(const timespec* request, timespec* remaining) {
    static constinit NextFunction<int(const timespec*, timespec*)> next{"nanosleep"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(request, remaining);
    std::int64_t span_ns = 0;
    const int error = to_ns(*request, span_ns) ? sleep_for(span_ns, remaining) : EINVAL;
    if (error == 0) return 0;
    errno = error;
    return -1;
}

KUMI_EXPORT int thrd_sleep(const timespec* request, timespec* remaining) {
    static constinit NextFunction<int(const timespec*, timespec*)> next{"thrd_sleep"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(request, remaining);
    std::int64_t span_ns = 0;
    if (!to_ns(*request, span_ns)) return -2;
    return sleep_for(span_ns, remaining) == 0 ? 0 : -1;
}

KUMI_EXPORT int usleep(useconds_t span_us) {
    static constinit NextFunction<int(useconds_t)> next{"usleep"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return skips_sleep(KUMI_CALLER) ? 0 : next(span_us);
    const int error = sleep_for(static_cast<std::int64_t>(span_us) * 1'000, nullptr);
    if (error == 0) return 0;
    errno = error;
    return -1;
}

KUMI_EXPORT unsigned sleep(unsigned span_s) {
    static constinit NextFunction<unsigned(unsigned)> next{"sleep"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(span_s);
    timespec remaining{};
    if (sleep_for(span_s * kSecond_ns, &remaining) == 0) return 0;
    return static_cast<unsigned>(remaining.tv_sec + (remaining.tv_nsec > 0 ? 1 : 0));
}
