#include "conductor/ranks/progress.hpp"

#include "conductor/system/cpu_clock.hpp"
#include "conductor/system/process_memory.hpp"

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

namespace {

Duration counted(const ConductorState& state, const RankSlot& slot) {
    const ComputeProgress& progress = slot.away.progress;
    std::uint64_t counter = 0;
    const bool is_seen =
        progress.counter != 0 && read_process(slot.facts.pid.load(std::memory_order_relaxed),
                                              progress.counter, &counter, sizeof counter);
    if (!is_seen || counter <= progress.charged) return {};
    std::int64_t rest = progress.rest;
    return time_of_work(state.configuration, counter - progress.charged,
                        progress.flops_per_kilocycle, rest);
}

Duration measured(const ConductorState& state, const RankSlot& slot) {
    const std::int64_t began_ns = slot.away.progress.began_cpu_ns.load();
    std::int64_t now_ns = 0;
    if (began_ns == ComputeProgress::kUnseen ||
        !read_cpu_clock(slot.facts.pid.load(std::memory_order_relaxed),
                        slot.away.progress.thread.load(), now_ns))
        return {};
    // If it looks meanwhile how much that is, what was read here may be more.
    if (slot.away.progress.began_cpu_ns.load() != began_ns || now_ns <= began_ns) return {};
    return time_of_cpu(state.configuration, now_ns - began_ns);
}

}  // namespace

Instant reached_by(const ConductorState& state, std::uint32_t rank) {
    const RankSlot& slot = state.ranks[rank];
    // Wake frames are sent by processes that are away, before what they have computed is charged.
    if (state.network->takes_wake_frames()) return slot.clock;
    Duration computed{};
    const ComputeMode mode = state.configuration.compute_mode;
    if (mode == ComputeMode::kMeasured) computed = measured(state, slot);
    if (mode == ComputeMode::kCounted) computed = counted(state, slot);
    const Instant limit = state.configuration.time_limit;
    return slot.clock < limit && computed < limit - slot.clock ? slot.clock + computed
                                                               : later(slot.clock, limit);
}

}  // namespace kumi::conductor
