// The clocks that the program reads. A process that is no rank gets the system's.

#include <sys/time.h>
#include <time.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/program_calls.hpp"
#include "mpi/clocks/program_time.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/export.hpp"
#include "mpi/time_functions/skipped_sleeps.hpp"

namespace kumi::mpi {
namespace {

std::int64_t wanted_ns() {
    const char* wanted = std::getenv("KUMI_START_DATE");
    if (wanted == nullptr) return kFirstRealtime_ns;
    std::int64_t seconds = 0;
    const char* end = wanted + std::strlen(wanted);
    const auto [rest, error] = std::from_chars(wanted, end, seconds);
    // Between 2000 and 2242, as `kumihimo run` checks.
    const bool is_date = error == std::errc{} && rest == end && wanted != end &&
                         seconds >= kFirstRealtime_ns / kSecond_ns && seconds < 8'589'934'592;
    return is_date ? seconds * kSecond_ns - kJoined_ns : kFirstRealtime_ns;
}

std::int64_t read_realtime_ns() { return realtime_at_start_ns() + elapsed_ns(ClockUse::kReading); }

}  // namespace

std::int64_t realtime_at_start_ns() {
    static const std::int64_t at_start_ns = wanted_ns();
    return at_start_ns;
}

int program_clock_gettime(clockid_t id, timespec* time) {
    if (const auto offset_ns = clock_offset_ns(id)) {
        *time = to_timespec(*offset_ns + elapsed_ns(ClockUse::kReading));
        return 0;
    }
    if (id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID) {
        *time = to_timespec(cpu_time_ns(ClockUse::kReading));
        return 0;
    }
    if (spends_virtual_time()) run_link::note_real_clock(RealClock::kCpuTime);
    return real_clock_gettime(id, time);
}

void program_gettimeofday(timeval* time, struct timezone* zone) {
    const timespec now = to_timespec(read_realtime_ns());
    *time = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1'000};
    if (zone != nullptr) *zone = {};
}

time_t program_time(time_t* time) {
    const time_t now = to_timespec(read_realtime_ns()).tv_sec;
    if (time != nullptr) *time = now;
    return now;
}

}  // namespace kumi::mpi

using namespace kumi::mpi;

KUMI_EXPORT int clock_gettime(clockid_t id, timespec* time) noexcept {
    if (!KUMI_CALLER_SEES_PROGRAM_TIME) return real_clock_gettime(id, time);
    return program_clock_gettime(id, time);
}

KUMI_EXPORT int gettimeofday(timeval* time, void* zone) noexcept {
    auto* const local = static_cast<struct timezone*>(zone);
    if (KUMI_CALLER_SEES_PROGRAM_TIME) {
        program_gettimeofday(time, local);
        return 0;
    }
    timespec now{};
    const int result = real_clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec += skipped_s(KUMI_CALLER);
    *time = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1'000};
    if (local != nullptr) *local = {};
    return result;
}

KUMI_EXPORT time_t time(time_t* time) noexcept {
    static constinit NextFunction<time_t(time_t*)> next{"time"};
    return KUMI_CALLER_SEES_PROGRAM_TIME ? program_time(time) : next(time);
}

KUMI_EXPORT int timespec_get(timespec* time, int base) noexcept {
    static constinit NextFunction<int(timespec*, int)> next{"timespec_get"};
    if (base != TIME_UTC) return next(time, base);
    const bool program = KUMI_CALLER_SEES_PROGRAM_TIME;
    const int result = program ? program_clock_gettime(CLOCK_REALTIME, time)
                               : real_clock_gettime(CLOCK_REALTIME, time);
    return result == 0 ? base : 0;
}
