#pragma once

#include <cstdint>

namespace kumi::calibration {

/// How fast this host computes, in floating-point operations per second of CPU time: one core,
/// double-precision multiply-adds in eight independent recurrences, out of registers.
///
/// The median of `repetitions` measurements of some 10 ms each; other load on the platform does not
/// count, its clock frequency does.
std::int64_t measure_host_speed(int repetitions);

}  // namespace kumi::calibration
