#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "base/check.hpp"

namespace kumi::inline base {

/// A span of virtual time in integer picoseconds. Covers +-106 days.
struct Duration {
    std::int64_t ps = 0;

    constexpr auto operator<=>(const Duration&) const = default;
    constexpr Duration& operator+=(Duration other) {
        ps += other.ps;
        return *this;
    }
    constexpr Duration& operator-=(Duration other) {
        ps -= other.ps;
        return *this;
    }
};

/// A point of virtual time, counted from the moment all ranks joined it.
struct Instant {
    std::int64_t ps = 0;

    constexpr auto operator<=>(const Instant&) const = default;
    constexpr Instant& operator+=(Duration span) {
        ps += span.ps;
        return *this;
    }
};

inline constexpr Instant kNever{std::numeric_limits<std::int64_t>::max()};
/// A rank whose clock is later ends the run, so that whatever is added to a clock stays a time.
inline constexpr Instant kEndOfTime{kNever.ps / 2};

constexpr Duration operator+(Duration a, Duration b) { return {a.ps + b.ps}; }
constexpr Duration operator-(Duration a, Duration b) { return {a.ps - b.ps}; }
constexpr Duration operator*(Duration a, std::int64_t count) { return {a.ps * count}; }
constexpr Duration operator*(std::int64_t count, Duration a) { return {a.ps * count}; }
constexpr Instant operator+(Instant a, Duration b) { return {a.ps + b.ps}; }
constexpr Instant operator-(Instant a, Duration b) { return {a.ps - b.ps}; }
constexpr Duration operator-(Instant a, Instant b) { return {a.ps - b.ps}; }

constexpr Instant later(Instant a, Instant b) { return a < b ? b : a; }
constexpr Instant earlier(Instant a, Instant b) { return b < a ? b : a; }

namespace literals {
constexpr Duration operator""_ps(unsigned long long n) { return {static_cast<std::int64_t>(n)}; }
constexpr Duration operator""_ns(unsigned long long n) {
    return {static_cast<std::int64_t>(n) * 1'000};
}
constexpr Duration operator""_us(unsigned long long n) {
    return {static_cast<std::int64_t>(n) * 1'000'000};
}
constexpr Duration operator""_ms(unsigned long long n) {
    return {static_cast<std::int64_t>(n) * 1'000'000'000};
}
}  // namespace literals

/// The time `size_bytes` take at `rate_bps` bits per second, rounded up to the next picosecond.
/// The one place where bytes are divided by a rate. `rate_bps` must not be zero.
constexpr Duration transfer_time(std::uint64_t size_bytes, std::uint64_t rate_bps) {
    KUMI_ASSERT(rate_bps != 0, "a rate of zero moves nothing");
    __extension__ using Wide = unsigned __int128;
    const auto bit_ps = static_cast<Wide>(size_bytes) * 8'000'000'000'000ULL;
    const Wide time_ps = (bit_ps + rate_bps - 1) / rate_bps;
    if (time_ps > static_cast<Wide>(kNever.ps)) end_of_virtual_time();
    return {static_cast<std::int64_t>(time_ps)};
}

/// `span` x numerator / denominator, rounded towards zero, exact in between.
constexpr Duration scaled(Duration span, std::int64_t numerator, std::int64_t denominator) {
    __extension__ using Wide = __int128;
    return {static_cast<std::int64_t>(static_cast<Wide>(span.ps) * numerator / denominator)};
}

}  // namespace kumi::inline base
