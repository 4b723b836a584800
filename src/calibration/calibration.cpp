#include "calibration/calibration.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/check.hpp"

namespace kumi::calibration {
namespace {

constexpr std::size_t kChains = 8;
constexpr std::int64_t kSpeedSteps = 4'000'000;
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
    for (std::int64_t step = 0; step < kSpeedSteps; ++step) {
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
    constexpr std::int64_t kOperations = kSpeedSteps * std::int64_t{kChains} * kOperationsPerStep;
    return kOperations * 1'000'000'000 / span_ns;  // 6.4e16 at most: no overflow.
}

constexpr std::int64_t kSteps = 20'000;
constexpr double kMillicycles = 1000;

/// Makes the compiler believe that a value in a register has changed.
template <class T>
[[gnu::always_inline]] inline void hide(T& value) {
    if constexpr (std::is_integral_v<T> || std::is_pointer_v<T>)
        asm volatile("" : "+r"(value));
    else
#if defined(__x86_64__)
        asm volatile("" : "+x"(value));
#else
        asm volatile("" : "+w"(value));
#endif
}

template <class T, class Operation>
[[gnu::always_inline]] inline void apply(const Operation& operation, T& value) {
    value = operation(value);
    hide(value);
}

/// Nanoseconds of one `operation` that needs the result of the one before.
template <class T, class Operation>
double time_of_chain(T start, Operation operation) {
    T value = start;
    const std::int64_t begin_ns = cpu_time_ns();
    for (std::int64_t step = 0; step < kSteps; ++step) apply(operation, value);
    return static_cast<double>(cpu_time_ns() - begin_ns) / kSteps;
}

/// Nanoseconds of one of many that do not depend on each other. Eight variables, because an array
/// would lie in memory.
template <class T, class Operation>
double time_of_many(T start, Operation operation) {
    constexpr double kOperations = 8.0 * kSteps;
    T a = start, b = start, c = start, d = start, e = start, f = start, g = start, h = start;
    const std::int64_t begin_ns = cpu_time_ns();
    for (std::int64_t step = 0; step < kSteps; ++step) {
        apply(operation, a);
        apply(operation, b);
        apply(operation, c);
        apply(operation, d);
        apply(operation, e);
        apply(operation, f);
        apply(operation, g);
        apply(operation, h);
    }
    return static_cast<double>(cpu_time_ns() - begin_ns) / kOperations;
}

/// In nanoseconds.
struct Cost {
    double latency;
    double interval;
};

template <class T, class Operation>
Cost cost_of(T start, int repetitions, Operation operation) {
    // Whatever disturbs a measurement makes it longer.
    Cost least{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    for (int i = 0; i < repetitions; ++i) {
        least.latency = std::min(least.latency, time_of_chain(start, operation));
        least.interval = std::min(least.interval, time_of_many(start, operation));
    }
    return least;
}

/// An operand that the compiler does not know.
template <class T>
T unknown(T value) {
    hide(value);
    return value;
}

[[gnu::noinline]] std::uint64_t called(std::uint64_t value) {
    hide(value);
    return value + 1;
}

using Pair [[gnu::vector_size(16)]] = double;

struct NamedCost {
    const char* key;
    Cost cost;
};

std::vector<NamedCost> integer_costs(int repetitions) {
    const std::uint64_t odd = unknown<std::uint64_t>(0x9E3779B97F4A7C15ULL);
    const std::uint64_t three = unknown<std::uint64_t>(3);
    const std::uint64_t start = unknown<std::uint64_t>(12345);
    return {
        {"integer", cost_of(start, repetitions, [=](std::uint64_t v) { return v + three; })},
        {"integer_multiply", cost_of(start, repetitions, [=](std::uint64_t v) { return v * odd; })},
        {"integer_divide",
         cost_of(start, repetitions, [=](std::uint64_t v) { return odd / (v | 1); })},
        {"call", cost_of(start, repetitions, [](std::uint64_t v) { return called(v); })},
    };
}

std::vector<NamedCost> float_costs(int repetitions) {
    const double near_one = unknown(0.99999), small = unknown(1e-5), start = unknown(1.5);
    const Pair pair = {1.0, 2.0};
    return {
        {"float_add", cost_of(start, repetitions, [=](double v) { return v + small; })},
        {"float_multiply", cost_of(start, repetitions, [=](double v) { return v * near_one; })},
        {"float_divide", cost_of(start, repetitions, [=](double v) { return near_one / v; })},
        {"float_root", cost_of(start, repetitions, [](double v) { return __builtin_sqrt(v); })},
        {"shuffle",
         cost_of(pair, repetitions, [](Pair v) { return __builtin_shufflevector(v, v, 1, 0); })},
    };
}

/// There and back again: half of it is one.
NamedCost conversion_cost(int repetitions) {
    Cost cost = cost_of(unknown(3.0), repetitions,
                        [](double v) { return static_cast<double>(static_cast<std::int64_t>(v)); });
    return {"float_convert", {cost.latency / 2, cost.interval / 2}};
}

std::vector<NamedCost> memory_costs(int repetitions) {
    // Every place points to itself: a load needs the one before, from the first-level cache.
    static void* place = nullptr;
    place = &place;
    void** const start = unknown(&place);
    const Cost load =
        cost_of(start, repetitions, [](void** at) { return static_cast<void**>(*at); });
    static std::uint64_t cell = 0;
    // A value that goes through memory.
    const Cost store = cost_of(unknown<std::uint64_t>(1), repetitions, [](std::uint64_t v) {
        volatile std::uint64_t& place = cell;
        place = v;
        return place;
    });
    static std::atomic<std::uint64_t> shared{0};
    const Cost atomic = cost_of(unknown<std::uint64_t>(1), repetitions,
                                [](std::uint64_t v) { return shared.fetch_add(v & 1) | 1; });
    return {{"load", load}, {"store", store}, {"atomic", atomic}};
}

std::int64_t copied_bytes_per_cycle(double cycle_ns, int repetitions) {
    constexpr std::size_t kBytes = 8192;
    static std::array<char, kBytes> from, to;
    const char* const source = unknown(from.data());
    char* const target = unknown(to.data());
    const Cost copy = cost_of(target, std::min(repetitions, 3), [=](char* place) {
        std::memcpy(place, source, kBytes);
        asm volatile("" ::: "memory");
        return place;
    });
    return std::max<std::int64_t>(std::llround(kBytes * cycle_ns / copy.latency), 1);
}

}  // namespace

std::int64_t measure_host_speed(int repetitions) {
    KUMI_ASSERT(repetitions > 0, "nothing would be measured");
    std::vector<std::int64_t> speeds;
    for (int i = 0; i < repetitions; ++i) speeds.push_back(measure_once());
    std::sort(speeds.begin(), speeds.end());
    return speeds[speeds.size() / 2];
}

std::vector<ModelLine> measure_operation_costs(int repetitions) {
    KUMI_ASSERT(repetitions > 0, "nothing would be measured");
    std::vector<NamedCost> costs = integer_costs(repetitions);
    for (const NamedCost& cost : float_costs(repetitions)) costs.push_back(cost);
    costs.push_back(conversion_cost(repetitions));
    for (const NamedCost& cost : memory_costs(repetitions)) costs.push_back(cost);
    const double cycle_ns = std::max(costs.front().cost.latency, 1e-3);
    const auto millicycles = [cycle_ns](double ns) {
        return std::max<std::int64_t>(std::llround(ns / cycle_ns * kMillicycles), 1);
    };
    std::vector<ModelLine> lines;
    for (const NamedCost& named : costs)
        lines.push_back(
            {named.key, {millicycles(named.cost.latency), millicycles(named.cost.interval)}});
    lines.push_back({"copied_bytes_per_cycle", {copied_bytes_per_cycle(cycle_ns, repetitions)}});
    const double flops_per_cycle =
        static_cast<double>(measure_host_speed(repetitions)) * cycle_ns * 1e-9;
    lines.push_back(
        {"flops_per_kilocycle", {std::max<std::int64_t>(std::llround(flops_per_cycle * 1000), 1)}});
    return lines;
}

}  // namespace kumi::calibration
