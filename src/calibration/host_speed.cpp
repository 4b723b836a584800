#include "calibration/host_speed.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <ctime>
#include <vector>

#include "base/check.hpp"

namespace kumi::calibration {
namespace {

constexpr std::size_t kChains = 8;
constexpr std::int64_t kSteps = 4'000'000;
constexpr std::int64_t kOperationsPerStep = 2;

std::int64_t cpu_time_ns() {
    timespec time;
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// Runs the recurrences x -> x * factor + offset, which stay between 0 and 2.
double run_kernel() {
    std::array<double, kChains> x;
    for (std::size_t chain = 0; chain < kChains; ++chain) {
        x[chain] = static_cast<double>(chain) / kChains;
    }
    // The compiler must not know the numbers, or it would compute the result itself.
    volatile double factor_source = 0.5;
    volatile double offset_source = 0.75;
    const double factor = factor_source;
    const double offset = offset_source;
    for (std::int64_t step = 0; step < kSteps; ++step) {
        for (double& value : x) value = value * factor + offset;
    }
    double sum = 0;
    for (double value : x) sum += value;
    return sum;
}

std::int64_t measure_once() {
    const std::int64_t begin_ns = cpu_time_ns();
    volatile double result = run_kernel();
    static_cast<void>(result);
    const std::int64_t span_ns = std::max<std::int64_t>(cpu_time_ns() - begin_ns, 1);
    constexpr std::int64_t kOperations = kSteps * std::int64_t{kChains} * kOperationsPerStep;
    return kOperations * 1'000'000'000 / span_ns;  // 6.4e16 at most: no overflow.
}

}  // namespace

std::int64_t measure_host_speed(int repetitions) {
    KUMI_ASSERT(repetitions > 0, "nothing would be measured");
    std::vector<std::int64_t> speeds;
    for (int i = 0; i < repetitions; ++i) speeds.push_back(measure_once());
    std::sort(speeds.begin(), speeds.end());
    return speeds[speeds.size() / 2];
}

}  // namespace kumi::calibration
