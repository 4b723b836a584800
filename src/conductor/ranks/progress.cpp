#include "conductor/ranks/progress.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>

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

/// Brings the CPU time of another process's thread up to date. Linux does so for those that
/// compute at ticks only, every few milliseconds, and if their policy changes: here from one to
/// the other of two between which hardly anything differs.
void refresh_cpu_clock(std::int32_t thread) {
    const int policy = ::sched_getscheduler(thread);
    if (policy != SCHED_OTHER && policy != SCHED_BATCH) return;
    const sched_param none{};
    (void)::sched_setscheduler(thread, policy == SCHED_OTHER ? SCHED_BATCH : SCHED_OTHER, &none);
}

/// CPU time of a process, as clock_getcpuclockid(3) would let one ask for it.
bool read_process_clock(std::int32_t process, std::int64_t& time_ns) {
    constexpr std::uint32_t kScheduled = 2;
    const auto clock =
        static_cast<clockid_t>((~static_cast<std::uint32_t>(process) << 3) | kScheduled);
    timespec now{};
    if (::syscall(SYS_clock_gettime, clock, &now) != 0) return false;
    time_ns = static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
    return true;
}

/// CPU time of another process's thread, of whose clock that process alone may ask.
bool read_thread_clock(std::int32_t process, std::int32_t thread, std::int64_t& time_ns) {
    char text[64];
    std::snprintf(text, sizeof text, "/proc/%d/task/%d/schedstat", process, thread);
    const int file = ::open(text, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t length = ::read(file, text, sizeof text);
    ::close(file);
    // The first of several numbers.
    return length > 0 && std::from_chars(text, text + length, time_ns).ec == std::errc{};
}

bool read_cpu_clock(const RankSlot& slot, std::int64_t& time_ns) {
    const std::int32_t process = slot.facts.pid.load(std::memory_order_relaxed);
    const std::int32_t thread = slot.away.progress.thread.load();
    refresh_cpu_clock(thread != 0 ? thread : process);
    return thread != 0 ? read_thread_clock(process, thread, time_ns)
                       : read_process_clock(process, time_ns);
}

Duration measured(const ConductorState& state, const RankSlot& slot) {
    const std::int64_t began_ns = slot.away.progress.began_cpu_ns.load();
    std::int64_t now_ns = 0;
    if (began_ns == ComputeProgress::kUnseen || !read_cpu_clock(slot, now_ns)) return {};
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

bool has_one_thread() {
    // A folder each, besides "." and "..".
    struct stat tasks{};
    return ::stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

}  // namespace kumi::conductor
