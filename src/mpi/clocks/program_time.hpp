#pragma once

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/time/time.hpp"

/// The time that the program sees, as arithmetic: nanoseconds since the process started.
///
/// Before a rank joins virtual time they are real, afterwards they are an hour plus the virtual
/// time, and after it has left they are real again; the hour keeps every clock monotonic over the
/// join, whatever start-up took. Dates count from a fixed day, or from the one that the user wants,
/// so that a program that prints or seeds by the date does the same in every run.
namespace kumi::mpi {

inline constexpr std::int64_t kSecond_ns = 1'000'000'000;
/// What clocks say at virtual time zero, since the start of the process.
inline constexpr std::int64_t kJoined_ns = 3'600 * kSecond_ns;
/// 2000-01-01T00:00:00Z.
inline constexpr std::int64_t kFirstRealtime_ns = 946'684'800 * kSecond_ns;
/// What the calendar says when the process starts: kFirstRealtime_ns, or an hour before the date
/// that KUMI_START_DATE names, in seconds since 1970.
std::int64_t realtime_at_start_ns();
/// The platform was switched on a day before.
inline constexpr std::int64_t kMonotonicAtStart_ns = 86'400 * kSecond_ns;
/// Deadlines without a clock's name: below this, they belong to the monotonic clock.
inline constexpr std::int64_t kLeastRealtime_ns = kFirstRealtime_ns / 2;
/// No call makes more virtual time than this pass: as long as there is any.
inline constexpr std::int64_t kLongestSpan_ns = kEndOfTime.ps / 1'000;

constexpr std::int64_t starting_ns(std::int64_t real_since_start_ns) {
    return std::clamp<std::int64_t>(real_since_start_ns, 0, kJoined_ns - 1);
}
constexpr std::int64_t virtual_ns(Instant now) { return kJoined_ns + now.ps / 1'000; }

/// What to add to the above for the clock `id`; nothing if that is not a clock of elapsed time: CPU
/// time stays as it is.
inline std::optional<std::int64_t> clock_offset_ns(clockid_t id) {
    switch (id) {
        case CLOCK_REALTIME:
        case CLOCK_REALTIME_COARSE:
        case CLOCK_REALTIME_ALARM:
        case CLOCK_TAI:
            return realtime_at_start_ns();
        case CLOCK_MONOTONIC:
        case CLOCK_MONOTONIC_COARSE:
        case CLOCK_MONOTONIC_RAW:
        case CLOCK_BOOTTIME:
        case CLOCK_BOOTTIME_ALARM:
            return kMonotonicAtStart_ns;
        default:
            return std::nullopt;
    }
}

constexpr timespec to_timespec(std::int64_t time_ns) {
    return {.tv_sec = static_cast<time_t>(time_ns / kSecond_ns),
            .tv_nsec = static_cast<long>(time_ns % kSecond_ns)};
}

/// Saturates; false if `time` is not a valid time.
constexpr bool to_ns(const timespec& time, std::int64_t& time_ns) {
    constexpr std::int64_t kMost_s = std::numeric_limits<std::int64_t>::max() / kSecond_ns - 1;
    if (time.tv_nsec < 0 || time.tv_nsec >= kSecond_ns || time.tv_sec < 0) return false;
    time_ns = std::min<std::int64_t>(time.tv_sec, kMost_s) * kSecond_ns + time.tv_nsec;
    return true;
}

/// A span as virtual time; negative ones are nothing, very long ones are cut.
constexpr Duration to_duration(std::int64_t span_ns) {
    return Duration{std::clamp<std::int64_t>(span_ns, 0, kLongestSpan_ns) * 1'000};
}

}  // namespace kumi::mpi
