#include "mpi/process/open_mpi_timers.hpp"

#include <time.h>

#include <cstdint>

#include "mpi/clocks/program_time.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/process/processor_counter.hpp"
#include "mpi/real_function.hpp"

namespace kumi::mpi {
namespace {

/// As libopen-pal declares them.
using Timer = std::uint64_t();

constinit double ticks_per_ns = 1;

/// Some milliseconds late, which is enough: Open MPI looks after its other affairs every 10 ms.
/// Takes no system call, and reads no counter.
std::int64_t elapsed_ns() {
    static constinit NextFunction<int(clockid_t, timespec*)> next{"clock_gettime"};
    timespec now{};
    next(CLOCK_MONOTONIC_COARSE, &now);
    return static_cast<std::int64_t>(now.tv_sec) * kSecond_ns + now.tv_nsec;
}

std::uint64_t ticks() {
    return static_cast<std::uint64_t>(static_cast<double>(elapsed_ns()) * ticks_per_ns);
}
std::uint64_t microseconds() { return static_cast<std::uint64_t>(elapsed_ns() / 1000); }

Timer** timer(const char* name) { return reinterpret_cast<Timer**>(library_variable(name)); }

}  // namespace

void give_timers_to_open_mpi() {
    if (!has_counter()) return;
    Timer** in_ticks = timer("opal_timer_base_get_cycles");
    Timer** in_microseconds = timer("opal_timer_base_get_usec");
    const auto frequency = reinterpret_cast<Timer*>(library_variable("opal_timer_base_get_freq"));
    if (in_ticks == nullptr || in_microseconds == nullptr || frequency == nullptr) return;
    ticks_per_ns = static_cast<double>(frequency()) / static_cast<double>(kSecond_ns);
    *in_ticks = ticks;
    *in_microseconds = microseconds;
}

}  // namespace kumi::mpi
