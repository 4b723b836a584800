#include "conductor/process/compute_forecast.hpp"

#include <algorithm>
#include <cstring>

namespace kumi::conductor {
namespace {

// Most samples are zero, and some a whole step of the clock: of few, the average is often far from
// what is right.
constexpr std::int64_t kFirstWeight = 16;
constexpr std::int64_t kLastWeight = 256;

std::uint32_t hash(const CallName& name) {
    // Most names differ behind "MPI_".
    std::uint64_t parts[2];
    std::memcpy(parts, name.text + 4, sizeof parts);
    return static_cast<std::uint32_t>((parts[0] ^ parts[1] * 31) * 0x9E3779B97F4A7C15 >> 58);
}

}  // namespace

bool ComputeForecast::draw() {
    if (--x_until_exact > 0) return false;
    x_until_exact = 1 + x_gaps.below(2 * kExactEach - 1);
    return true;
}

std::int64_t ComputeForecast::leave_ns(const CallName& name, bool has_received) {
    x_place = 2 * (hash(name) % kNames) + (has_received ? 1 : 0);
    x_spent_ns = 0;
    x_is_exact = draw();
    x_left_ns = now_ns();
    const Average& average = x_averages[x_place];
    return average.samples == 0 ? kUnknown_ns : average.ns;
}

std::int64_t ComputeForecast::enter(std::int64_t long_ns) {
    if (x_left_ns == 0) return 0;
    pause();
    x_left_ns = 0;
    Average& average = x_averages[x_place];
    average.ns += (x_spent_ns - average.ns) / std::min(kFirstWeight + average.samples, kLastWeight);
    ++average.samples;
    return x_is_exact && x_spent_ns >= long_ns ? kExactEach * x_spent_ns : 0;
}

}  // namespace kumi::conductor
