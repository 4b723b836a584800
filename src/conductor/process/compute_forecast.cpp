#include "conductor/process/compute_forecast.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace kumi::conductor {
namespace {

// Most samples are zero, and some a whole step of the clock: of few, the average is often far from
// what is right.
constexpr std::int64_t kFirstWeight = 16;
constexpr std::int64_t kLastWeight = 256;
constexpr std::int64_t kLastWeightOfAll = 4096;

using ClockFunction = int (*)(clockid_t, timespec*);

int ask_kernel(clockid_t clock, timespec* time) {
    return static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
}

/// The system's own, which reads the coarse clocks without a system call; the one of the C library
/// shows virtual time. The exact clocks would read the processor's counter, which is a trap.
ClockFunction find_clock() {
    void* object = ::dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
    void* found = object == nullptr ? nullptr : ::dlsym(object, "__vdso_clock_gettime");
    return found == nullptr ? ask_kernel : reinterpret_cast<ClockFunction>(found);
}

std::uint32_t hash(const CallName& name) {
    // Most names differ behind "MPI_".
    std::uint64_t parts[2];
    std::memcpy(parts, name.text + 4, sizeof parts);
    return static_cast<std::uint32_t>((parts[0] ^ parts[1] * 31) * 0x9E3779B97F4A7C15 >> 58);
}

}  // namespace

std::int64_t ComputeForecast::coarse_ns() {
    static const ClockFunction clock = find_clock();
    timespec now{};
    clock(CLOCK_MONOTONIC_COARSE, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

std::int64_t ComputeForecast::leave_ns(const CallName& name, bool has_received) {
    x_place = 2 * (hash(name) % kNames) + (has_received ? 1 : 0);
    x_spent_ns = 0;
    x_pauses = 0;
    x_left_ns = coarse_ns();
    return x_averages[x_place].ns;
}

void ComputeForecast::Average::add(std::int64_t sample_ns, std::int64_t first_weight,
                                   std::int64_t last_weight) {
    ns += (sample_ns - ns) / std::min(first_weight + samples, last_weight);
    ++samples;
}

void ComputeForecast::enter() {
    if (x_left_ns == 0) return;
    pause();
    x_left_ns = 0;
    x_averages[x_place].add(x_spent_ns, kFirstWeight, kLastWeight);
    x_all.add(x_spent_ns, /*first_weight=*/1, kLastWeightOfAll);
}

}  // namespace kumi::conductor
