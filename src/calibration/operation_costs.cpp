#include "calibration/operation_costs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <limits>
#include <type_traits>

#include "base/check.hpp"
#include "calibration/host_speed.hpp"

namespace kumi::calibration {
namespace {

constexpr std::int64_t kSteps = 20'000;
constexpr double kMillicycles = 1000;

/// Makes the compiler believe that a value in a register has changed.
template <class T>
[[gnu::always_inline]] inline void hide(T& value) {
#if defined(__x86_64__)
    if constexpr (std::is_integral_v<T> || std::is_pointer_v<T>)
        asm volatile("" : "+r"(value));
    else
        asm volatile("" : "+x"(value));
#else
    if constexpr (std::is_integral_v<T> || std::is_pointer_v<T>)
        asm volatile("" : "+r"(value));
    else
        asm volatile("" : "+w"(value));
#endif
}

double cpu_time_ns() {
    timespec time;
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
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
    const double begin_ns = cpu_time_ns();
    for (std::int64_t step = 0; step < kSteps; ++step) apply(operation, value);
    return (cpu_time_ns() - begin_ns) / kSteps;
}

/// Nanoseconds of one of many that do not depend on each other. Eight variables, because an array
/// would lie in memory.
template <class T, class Operation>
double time_of_many(T start, Operation operation) {
    constexpr double kOperations = 8.0 * kSteps;
    T a = start, b = start, c = start, d = start, e = start, f = start, g = start, h = start;
    const double begin_ns = cpu_time_ns();
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
    return (cpu_time_ns() - begin_ns) / kOperations;
}

/// In nanoseconds.
struct Cost {
    double latency;
    double interval;
};

template <class T, class Operation>
Cost cost_of(T start, Operation operation, int repetitions) {
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
        {"integer", cost_of(
                        start, [=](std::uint64_t v) { return v + three; }, repetitions)},
        {"integer_multiply", cost_of(
                                 start, [=](std::uint64_t v) { return v * odd; }, repetitions)},
        {"integer_divide", cost_of(
                               start, [=](std::uint64_t v) { return odd / (v | 1); }, repetitions)},
        {"call", cost_of(
                     start, [](std::uint64_t v) { return called(v); }, repetitions)},
    };
}

std::vector<NamedCost> float_costs(int repetitions) {
    const double near_one = unknown(0.99999), small = unknown(1e-5), start = unknown(1.5);
    const Pair pair = {1.0, 2.0};
    return {
        {"float_add", cost_of(
                          start, [=](double v) { return v + small; }, repetitions)},
        {"float_multiply", cost_of(
                               start, [=](double v) { return v * near_one; }, repetitions)},
        {"float_divide", cost_of(
                             start, [=](double v) { return near_one / v; }, repetitions)},
        {"float_root", cost_of(
                           start, [](double v) { return __builtin_sqrt(v); }, repetitions)},
        {"shuffle",
         cost_of(
             pair, [](Pair v) { return __builtin_shufflevector(v, v, 1, 0); }, repetitions)},
    };
}

/// There and back again: half of it is one.
NamedCost conversion_cost(int repetitions) {
    Cost cost = cost_of(
        unknown(3.0), [](double v) { return static_cast<double>(static_cast<std::int64_t>(v)); },
        repetitions);
    return {"float_convert", {cost.latency / 2, cost.interval / 2}};
}

std::vector<NamedCost> memory_costs(int repetitions) {
    // Every place points to itself: a load needs the one before, from the first-level cache.
    static void* place = nullptr;
    place = &place;
    void** const start = unknown(&place);
    const Cost load =
        cost_of(start, [](void** at) { return static_cast<void**>(*at); }, repetitions);
    static std::uint64_t cell = 0;
    // A value that goes through memory.
    const Cost store = cost_of(
        unknown<std::uint64_t>(1),
        [](std::uint64_t v) {
            volatile std::uint64_t& place = cell;
            place = v;
            return place;
        },
        repetitions);
    static std::atomic<std::uint64_t> shared{0};
    const Cost atomic = cost_of(
        unknown<std::uint64_t>(1), [](std::uint64_t v) { return shared.fetch_add(v & 1) | 1; },
        repetitions);
    return {{"load", load}, {"store", store}, {"atomic", atomic}};
}

std::int64_t copied_bytes_per_cycle(double cycle_ns, int repetitions) {
    constexpr std::size_t kBytes = 8192;
    static std::array<char, kBytes> from, to;
    const char* const source = unknown(from.data());
    char* const target = unknown(to.data());
    const Cost copy = cost_of(
        target,
        [=](char* place) {
            std::memcpy(place, source, kBytes);
            asm volatile("" ::: "memory");
            return place;
        },
        std::min(repetitions, 3));
    return std::max<std::int64_t>(std::llround(kBytes * cycle_ns / copy.latency), 1);
}

}  // namespace

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
