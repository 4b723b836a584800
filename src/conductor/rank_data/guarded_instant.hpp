#pragma once

#include <cstdint>

#include "base/time/time.hpp"

namespace kumi::conductor {

/// An instant in memory that strangers may write to: kept twice, so that damage shows that leaves a
/// time which could be. Plain data in the segment.
class GuardedInstant {
   public:
    constexpr GuardedInstant() = default;
    constexpr GuardedInstant& operator=(Instant instant) {
        x_instant = instant;
        x_mirror = kSum - static_cast<std::uint64_t>(instant.ps);
        return *this;
    }
    /// What was damaged stays so.
    constexpr GuardedInstant& operator+=(Duration span) {
        x_instant += span;
        x_mirror -= static_cast<std::uint64_t>(span.ps);
        return *this;
    }
    constexpr Instant get() const { return x_instant; }
    // Used as the instant that it is.
    // NOLINTNEXTLINE(google-explicit-constructor)
    constexpr operator Instant() const { return x_instant; }
    constexpr bool is_whole() const {
        return static_cast<std::uint64_t>(x_instant.ps) + x_mirror == kSum;
    }

   private:
    /// Any number but zero, to which memory is set most often.
    static constexpr std::uint64_t kSum = 0x9E3779B97F4A7C15;

    Instant x_instant{};
    std::uint64_t x_mirror = kSum;
};

}  // namespace kumi::conductor
