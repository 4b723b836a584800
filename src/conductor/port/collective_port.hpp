#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "conductor/port/rank_port.hpp"

namespace kumi::conductor {

/// A rank's end of the conductor for scheduled collectives.
class CollectivePort : public RankPort {
   public:
    explicit CollectivePort(RankProcess& process) : RankPort(process) {}

    /// Whether there are any; the rest is only for then, and within MPI calls in virtual time.
    bool schedules_collectives() const { return x_state->collectives != nullptr; }
    /// The sides of the grid of the platform's hosts; see CollectiveSettings.
    std::span<const std::uint32_t> sides_of_hosts() const {
        return {x_state->collectives->sides, x_state->collectives->dimensions};
    }
    bool hosts_are_torus() const { return x_state->collectives->is_torus; }
    std::uint32_t host_of(std::uint32_t rank) const { return x_state->ranks[rank].host; }
    /// This rank among others with which it starts: see Collectives::group_of.
    StartMember& join_group(std::span<const std::uint32_t> rank_at,
                            std::span<const std::uint32_t> sides);
    /// The ranks to which this one sends packets of a common start.
    std::vector<std::uint32_t> start_targets(const StartMember& member) const;
    /// Waits for the common start of the group. False: the MPI library should get on first, as it
    /// may have something to answer; then this is to be called again.
    [[nodiscard]] bool await_start(StartMember& member);
    /// Waits until a time after the last common start, for a step of the function.
    void wait_after_start(const StartMember& member, Duration after, CollectiveFunction function);
    /// What a message takes at most if nothing else is under way: also with the bits that errors
    /// make links add, and with datagrams where all messages go by them.
    Duration idle_time(std::uint32_t source, std::uint32_t target, std::uint64_t size_bytes) const;
    /// Whether schedules wake the links that their steps need.
    bool wakes_for_steps() const {
        return x_state->network->takes_wake_frames() && x_state->collectives->wakes_for_steps;
    }
    /// Whether only calls in regions with the hint IN_KERNEL are scheduled.
    bool schedules_in_kernel_only() const { return x_state->collectives->in_kernel_only; }
    /// Whether the program is in such a region, at its next call on the group's ranks. It ends the
    /// run as refused if another rank was not, or was, at that call.
    bool is_call_in_kernel(StartMember& member);
    /// Asks for the connections that messages to `targets` need, as far as the rank's service
    /// wants them, and waits until they can be used, if messages would wait for them.
    void connect(std::span<const std::uint32_t> targets);
    /// Whether that may do anything.
    bool asks_for_connections() const;
    /// When the steps of an operation of the group begin after the common start: nullptr if that is
    /// not known yet. O(number of other keys).
    const StepInstants* find_steps(const StartMember& member, const ScheduleKey& key) const;
    /// It is known now: the steps last for so long. To each the user's guard is added.
    const StepInstants& keep_steps(const StartMember& member, const ScheduleKey& key,
                                   std::span<const Duration> times, Duration wake_lead);
    /// A call that may be scheduled begins or ends, at its place among what the rank does.
    void note_collective(CollectiveFunction function, CollectiveChoice choice, bool begins);
    /// The MPI library polls from now on as in a call of this class. Returns the class before.
    CallClass poll_as(CallClass call_class) {
        return std::exchange(x_slot->call_class, call_class);
    }
};

}  // namespace kumi::conductor
