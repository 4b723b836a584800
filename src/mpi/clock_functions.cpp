// The clocks that the program reads. A process that is no rank gets the system's.

#include <sys/time.h>
#include <time.h>

#include "mpi/caller.hpp"
#include "mpi/export.hpp"
#include "mpi/program_time.hpp"
#include "mpi/real_time.hpp"

using kumi::mpi::ClockUse;
using kumi::mpi::elapsed_ns;

namespace {

std::int64_t read_realtime_ns() {
    return kumi::mpi::kRealtimeAtStart_ns + elapsed_ns(ClockUse::kReading);
}

}  // namespace

KUMI_EXPORT int clock_gettime(clockid_t id, timespec* time) noexcept {
    const auto offset_ns = kumi::mpi::clock_offset_ns(id);
    if (!offset_ns || !KUMI_CALLER_SEES_PROGRAM_TIME)
        return kumi::mpi::real_clock_gettime(id, time);
    *time = kumi::mpi::to_timespec(*offset_ns + elapsed_ns(ClockUse::kReading));
    return 0;
}

KUMI_EXPORT int gettimeofday(timeval* time, void* zone) noexcept {
    static constinit kumi::mpi::NextFunction<int(timeval*, void*)> next{"gettimeofday"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(time, zone);
    const timespec now = kumi::mpi::to_timespec(read_realtime_ns());
    *time = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1'000};
    if (zone != nullptr) *static_cast<struct timezone*>(zone) = {};
    return 0;
}

KUMI_EXPORT time_t time(time_t* time) noexcept {
    static constinit kumi::mpi::NextFunction<time_t(time_t*)> next{"time"};
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return next(time);
    const time_t now = kumi::mpi::to_timespec(read_realtime_ns()).tv_sec;
    if (time != nullptr) *time = now;
    return now;
}

KUMI_EXPORT int timespec_get(timespec* time, int base) noexcept {
    static constinit kumi::mpi::NextFunction<int(timespec*, int)> next{"timespec_get"};
    if (base != TIME_UTC || !KUMI_CALLER_SEES_PROGRAM_TIME) return next(time, base);
    *time = kumi::mpi::to_timespec(read_realtime_ns());
    return base;
}
