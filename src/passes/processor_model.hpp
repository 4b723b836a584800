#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace kumi::passes {

/// Kinds of work that a processor does at different cost.
enum class Work : std::uint8_t {
    kInteger,  ///< Also comparisons, selections, conversions between integers, addresses.
    kIntegerMultiply,
    kIntegerDivide,
    kFloatAdd,  ///< Also comparisons, minimum and maximum.
    kFloatMultiply,
    kFloatMultiplyAdd,
    kFloatDivide,
    kFloatRoot,
    kFloatConvert,  ///< Between formats, and between numbers and integers.
    kShuffle,       ///< Moves elements between lanes of vectors.
    kLoad,
    kStore,
    kBranch,
    kCall,
    kAtomic,
};
inline constexpr std::size_t kWorkKinds = 15;

/// What an operation costs, in thousandths of a cycle.
struct OperationCost {
    std::int64_t latency = 0;   ///< Until another operation can use its result.
    std::int64_t interval = 0;  ///< Between two that do not depend on each other.
};

/// The processor for which work is counted. All numbers are integers, so that every build of a
/// program counts the same.
struct ProcessorModel {
    std::array<OperationCost, kWorkKinds> costs;
    /// Between two operations of any kind: the width of the front end.
    std::int64_t issue_interval = 250;
    std::int64_t vector_bits = 256;
    /// Of copying and filling memory.
    std::int64_t copied_bytes_per_cycle = 16;
    /// Floating-point operations in a thousand cycles of the loop by which node speeds are defined:
    /// independent recurrences x -> x * a + b (`kumihimo calibrate`).
    std::uint64_t flops_per_kilocycle = 1500;

    const OperationCost& of(Work work) const { return costs[static_cast<std::size_t>(work)]; }

    /// A processor of about 2022 with its data in the first-level cache.
    static ProcessorModel standard();
    /// Reads a model file: lines `key = integers`, `#` begins a comment; what is not named stays as
    /// in standard(). On failure false, with "file:line: what was expected" in `problem`.
    static bool read(const std::string& path, ProcessorModel& model, std::string& problem);
};

}  // namespace kumi::passes
