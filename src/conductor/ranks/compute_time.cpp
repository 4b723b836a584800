#include "conductor/ranks/compute_time.hpp"

namespace kumi::conductor {

__extension__ using Wide = __int128;

Duration time_of_cpu(const RunConfiguration& run, std::int64_t cpu_ns) {
    return scaled(Duration{cpu_ns * 1000}, run.host_speed_num, run.host_speed_den);
}

Duration time_of_work(const RunConfiguration& run, std::uint64_t millicycles,
                      std::uint64_t flops_per_kilocycle, std::int64_t& rest) {
    // 10^-6 operations for each thousandth of a cycle and each operation in a thousand cycles.
    constexpr std::int64_t kPicosecondsPerMicrosecond = 1'000'000;
    const auto node_flops = static_cast<std::int64_t>(run.node_flops);
    const Wide work =
        static_cast<Wide>(millicycles) * flops_per_kilocycle * kPicosecondsPerMicrosecond + rest;
    rest = static_cast<std::int64_t>(work % node_flops);
    return Duration{static_cast<std::int64_t>(work / node_flops)};
}

}  // namespace kumi::conductor
