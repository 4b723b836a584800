#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/collective_call.hpp"
#include "collectives/torus/box_steps.hpp"
#include "mpi/collectives/group_plan.hpp"
#include "mpi/collectives/message_data.hpp"

namespace kumi::mpi::collectives {

/// One of the algorithms for a call.
struct Way {
    std::uint64_t variant = 0;  ///< See ScheduleKey.
    /// By step; from its end on, no two messages share a link.
    kumi::collectives::Sharing sharing{};
    std::function<void(RankProgram&)> write;
};

/// A way with the instants of its steps after the common start; the last one is its end.
struct Schedule {
    const Way* way = nullptr;
    std::span<const Duration> begins;
    Duration wake_lead{};  ///< 0: it wakes no links.
};

/// The way that ends first over an idle network, which is the same on all ranks: the first of
/// `ways`, unless another one is faster.
Schedule fastest_of(GroupPlan& plan, CollectiveFunction function, std::uint64_t size_bytes,
                    std::span<const Way> ways);

/// The schedule of one way.
Schedule schedule_of(GroupPlan& plan, const ScheduleKey& key, const Way& way);

/// Before the common start: asks for the connections that this rank's messages need, if its service
/// wants any, and waits for them if messages would.
void ask_for_connections(const GroupPlan& plan, const Way& way);

/// Carries a schedule out. Returns 0 or the first error of MPI's.
int carry_out(GroupPlan& plan, CollectiveFunction function, const Schedule& schedule,
              MessageData& data);

}  // namespace kumi::mpi::collectives
