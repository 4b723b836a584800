#include "mpi/process/open_mpi_timers.hpp"

#include <cstdint>

#include "mpi/clocks/real_time.hpp"
#include "mpi/process/processor_counter.hpp"
#include "mpi/real_function.hpp"

namespace kumi::mpi {
namespace {

/// As libopen-pal declares them.
using Timer = std::uint64_t();

constexpr double kNsPerSecond = 1e9;

constinit double ticks_per_ns = 1;

std::uint64_t ticks() {
    return static_cast<std::uint64_t>(static_cast<double>(real_monotonic_ns()) * ticks_per_ns);
}
std::uint64_t microseconds() { return static_cast<std::uint64_t>(real_monotonic_ns() / 1000); }

Timer** timer(const char* name) { return reinterpret_cast<Timer**>(library_variable(name)); }

}  // namespace

void give_timers_to_open_mpi() {
    if (!has_counter()) return;
    Timer** in_ticks = timer("opal_timer_base_get_cycles");
    Timer** in_microseconds = timer("opal_timer_base_get_usec");
    const auto frequency = reinterpret_cast<Timer*>(library_variable("opal_timer_base_get_freq"));
    if (in_ticks == nullptr || in_microseconds == nullptr || frequency == nullptr) return;
    // Where the counter's rate may change, it takes the system's clock, and a frequency below.
    constexpr double kSlowestCounter_hz = 1e6;
    const auto rate_hz = static_cast<double>(frequency());
    if (rate_hz < kSlowestCounter_hz) return;
    ticks_per_ns = rate_hz / kNsPerSecond;
    *in_ticks = ticks;
    *in_microseconds = microseconds;
}

}  // namespace kumi::mpi
