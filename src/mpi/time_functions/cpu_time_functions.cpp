// CPU time as the program asks for it, other than by clock_gettime.

#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/program_calls.hpp"
#include "mpi/clocks/program_time.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/export.hpp"

namespace kumi::mpi {

std::int64_t cpu_time_ns(ClockUse use) {
    const std::int64_t elapsed = elapsed_ns(use);
    return elapsed - slept_ns();
}

namespace {

void note_children() {
    if (spends_virtual_time()) run_link::note_real_clock(RealClock::kCpuTime);
}

clock_t to_ticks(std::int64_t time_ns) {
    static const std::int64_t tick_ns = kSecond_ns / ::sysconf(_SC_CLK_TCK);
    return time_ns / tick_ns;
}

}  // namespace
}  // namespace kumi::mpi

using namespace kumi::mpi;

KUMI_EXPORT clock_t clock() noexcept {
    static constinit NextFunction<clock_t()> next{"clock"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next();
    return cpu_time_ns(ClockUse::kReading) / (kSecond_ns / CLOCKS_PER_SEC);
}

KUMI_EXPORT clock_t times(tms* times) noexcept {
    static constinit NextFunction<clock_t(tms*)> next{"times"};
    const clock_t real = next(times);
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return real;
    const std::int64_t cpu_ns = cpu_time_ns(ClockUse::kReading);
    if (times != nullptr) {
        times->tms_utime = to_ticks(cpu_ns);
        times->tms_stime = 0;
    }
    return to_ticks(kMonotonicAtStart_ns + elapsed_ns(ClockUse::kPeek));
}

KUMI_EXPORT int getrusage(__rusage_who_t who, rusage* usage) noexcept {
    static constinit NextFunction<int(__rusage_who_t, rusage*)> next{"getrusage"};
    const int result = next(who, usage);
    if (result != 0 || !KUMI_CALLER_SEES_PROGRAM_TIME) return result;
    if (who == RUSAGE_CHILDREN) {
        note_children();
        return result;
    }
    const timespec used = to_timespec(cpu_time_ns(ClockUse::kReading));
    usage->ru_utime = {.tv_sec = used.tv_sec, .tv_usec = used.tv_nsec / 1'000};
    usage->ru_stime = {};
    return result;
}
