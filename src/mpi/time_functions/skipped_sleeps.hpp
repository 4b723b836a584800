#pragma once

#include <cstdint>

/// Libraries that measure the processor's counter when a rank loads them sleep for a tenth of a
/// second, and nothing in a run needs what they find. In a rank that starts, their sleeps end at
/// once: the clock and the counter that they read are a second further then.
namespace kumi::mpi {

/// From now on, since readings of the counter are answered here.
void begin_to_skip_sleeps();
/// Skips a sleep of such a caller; false for all others.
bool skips_sleep(const void* caller);
/// What is added to the real time for such a caller, in seconds; 0 for all others.
std::int64_t skipped_s(const void* caller);
/// What is added to the counter.
inline std::uint64_t skipped_ticks(const void* caller) {
    constexpr std::int64_t kTicksInSecond = 2'500'000'000;
    return static_cast<std::uint64_t>(skipped_s(caller) * kTicksInSecond);
}

}  // namespace kumi::mpi
