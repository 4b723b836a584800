#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/time/time.hpp"
#include "collectives/watching_program.hpp"
#include "mpi/collectives/group_plan.hpp"
#include "mpi/wake/wake_list.hpp"

namespace kumi::mpi::collectives {

using kumi::collectives::WatchingProgram;

/// The wake frames for what one rank sends in a schedule: its own messages, and its answers to
/// those that it has to ask for. Each frame leaves so early that all links of the path are awake at
/// the instant of its step, and keeps them so until the step ends.
///
///     StepWakes wakes(plan, begins, lead);
///     way.write(wakes);
///     wakes.ask_before_start();
///     ... the common start ...
///     wakes.ask_after_start();
class StepWakes final : public WatchingProgram {
   public:
    /// `begins` are the instants of the steps after the common start, the last one the end. `lead`
    /// suffices for all links that the schedule uses. `plan` and `begins` must outlive it.
    StepWakes(GroupPlan& plan, std::span<const Duration> begins, Duration lead);

    // What an algorithm calls.
    void sends(const Message& message) override;
    void receives(const Message& message) override;

    /// Wakes the links that the rank needs for the common start and for the first steps, and waits
    /// until they are awake.
    void ask_before_start();
    /// The interface sends the frames of all other steps. It has got them before, and has timers.
    void ask_after_start();
    /// In place of both, if the steps follow a common start that is over: asks for all frames.
    void ask_at_once();

   private:
    void add(std::uint32_t place, Duration leaves, Duration late, std::uint32_t messages);

    GroupPlan& x_plan;
    std::span<const Duration> x_begins;
    Duration x_lead;
    std::vector<wake::AwaitedMessages> x_frames;  ///< Times are those after the common start.
};

}  // namespace kumi::mpi::collectives
