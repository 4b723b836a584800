#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kumi::calibration {

/// How fast this host computes, in floating-point operations per second of CPU time: one core,
/// double-precision multiply-adds in eight independent recurrences, out of registers.
///
/// The median of `repetitions` measurements of some 10 ms each; other load on the platform does not
/// count, its clock frequency does.
std::int64_t measure_host_speed(int repetitions);

/// One line of a processor model (src/passes/processor_model.hpp).
struct ModelLine {
    std::string key;
    std::vector<std::int64_t>
        values;  ///< Positive; thousandths of a cycle unless the key says else.
};

/// What the operations of this host's processor cost, for the keys of a processor model that can be
/// measured by a program: latency from chains in which each operation needs the one before,
/// interval from eight chains at once. A cycle is the latency of an addition of integers, so that
/// the clock's frequency does not matter. Each number is the median of `repetitions` measurements
/// of some 100 µs.
std::vector<ModelLine> measure_operation_costs(int repetitions);

}  // namespace kumi::calibration
