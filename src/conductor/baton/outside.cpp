#include "conductor/baton/outside.hpp"

#include <algorithm>

#include "conductor/streams/carry_out.hpp"
#include "conductor/system/real_time.hpp"

namespace kumi::conductor {
namespace {

/// Between two looks, in real time.
constexpr std::int64_t kInterval_ns = 1'000'000;

/// Returns whether there is one.
bool resume_all(ConductorState& state) {
    state.deadlock_check.outside_looked_ns = real_ns();
    bool any = false;
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
        RankSlot& slot = state.slot(rank);
        const std::uint32_t known = slot.outside.open.load(std::memory_order_relaxed);
        if (known == 0 || !interrupt_wait(state, rank)) continue;
        // What has been completed until now it will find: it has to look once more for that.
        const std::uint32_t completed = std::min(known, slot.outside.completed.exchange(0));
        slot.outside.open.fetch_sub(completed, std::memory_order_relaxed);
        state.outside.fetch_sub(completed, std::memory_order_relaxed);
        any = true;
    }
    return any;
}

}  // namespace

bool is_time_to_look_outside(const ConductorState& state) {
    return real_ns() - state.deadlock_check.outside_looked_ns >= kInterval_ns;
}

void look_outside(ConductorState& state) {
    if (is_time_to_look_outside(state)) resume_all(state);
}

bool wait_outside(ConductorState& state) {
    if (state.outside.load(std::memory_order_relaxed) == 0) return false;
    const timespec moment{.tv_sec = 0, .tv_nsec = kInterval_ns};
    ::syscall(SYS_nanosleep, &moment, nullptr);
    return resume_all(state);
}

}  // namespace kumi::conductor
