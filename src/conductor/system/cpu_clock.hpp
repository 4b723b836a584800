#pragma once

#include <cstdint>

namespace kumi::conductor {

/// CPU time of another process: of its thread with that number, or of the whole process if `thread`
/// is 0. Up to date, even if it is computing. False if the system does not say.
[[nodiscard]] bool read_cpu_clock(std::int32_t process, std::int32_t thread, std::int64_t& time_ns);

}  // namespace kumi::conductor
