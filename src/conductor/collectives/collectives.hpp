#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/collective_call.hpp"
#include "base/memory/arena.hpp"
#include "base/time/time.hpp"
#include "endpoint/start_account.hpp"
#include "endpoint/start_jitter.hpp"
#include "endpoint/synchroniser.hpp"

/// What ranks share that carry out collective calls of their programs by schedules: common starts
/// of groups of ranks, the instants of steps after that, and counts of the calls.
namespace kumi::conductor {

/// What ranks come to, each by itself, about calls that they all make in the same order: yes or
/// no. The first rank to make a call decides what the others must say. Plain data in the segment:
/// a number for each change, since neighbouring calls mostly have the same answer.
class AgreedCalls {
   public:
    /// A rank says `answer` about the call with that number; its own calls come in order, from 0.
    /// Returns whether all ranks that made the call say so.
    bool agree(Arena& arena, std::uint64_t call, bool answer);

   private:
    bool last_answer() const { return x_count % 2 == 1; }
    bool answer_to(std::uint64_t call) const;
    void add_change(Arena& arena, std::uint64_t call);

    std::uint64_t x_known = 0;           ///< Calls that a rank has made.
    std::uint64_t* x_changes = nullptr;  ///< Numbers of calls; the answer before the first is no.
    std::uint32_t x_count = 0;
    std::uint32_t x_room = 0;
};

struct StartGroup;

/// What a user decides about scheduled collectives.
struct CollectiveSettings {
    /// Sides of the torus or mesh of hosts, the first coordinate counting fastest in the numbers of
    /// hosts. Empty: the platform is none, or has several hosts at a switch.
    std::vector<std::uint32_t> sides{};
    bool is_torus = false;           ///< Else a mesh.
    std::uint64_t packet_bytes = 0;  ///< Of a synchronisation.
    endpoint::StartRule rule = endpoint::StartRule::kCorrected;
    Duration guard{};   ///< Added to each step.
    Duration jitter{};  ///< Largest error of a rank's common start.
    /// Links that sleep are woken for the instants of steps, if they take wake frames.
    bool wakes_for_steps = true;
    /// Only calls in the program's regions with the hint IN_KERNEL are scheduled.
    bool in_kernel_only = false;
    std::uint64_t seed = 0;  ///< Of the run; decides those errors.
};

/// One rank's part in the common starts of a group.
struct StartMember {
    StartGroup* group = nullptr;
    std::uint32_t place = 0;  ///< Of the group's grid.
    endpoint::Synchroniser synchroniser;
    Instant start{};          ///< The last common start, when the rank noticed it.
    std::uint64_t calls = 0;  ///< For which it is known whether they are in a region.
};

/// The instants of the steps of one operation after the common start.
struct StepInstants {
    ScheduleKey key;
    std::uint32_t count = 0;
    Duration* begins = nullptr;
    /// So early, wake frames suffice for all of its messages; 0 if it wakes no links.
    Duration wake_lead{};
    StepInstants* next = nullptr;
};

/// Ranks that start together. Communicators with the same ranks share one.
struct StartGroup {
    std::uint32_t size = 0;
    std::uint32_t rounds = 0;
    std::uint32_t* sides = nullptr;    ///< Of a grid; in each round ranks of a line synchronise.
    std::uint32_t* rank_at = nullptr;  ///< By place: the first coordinate counts fastest.
    StartMember* members = nullptr;    ///< By place.
    StepInstants* steps = nullptr;
    endpoint::StartAccount account;
    AgreedCalls in_kernel;  ///< Which of its calls are in regions with IN_KERNEL.
    StartGroup* next = nullptr;
};

/// What became of the calls of one function, of all ranks together.
struct CollectiveCounts {
    std::uint64_t calls[kCollectiveChoices] = {};
    Duration time[kCollectiveChoices] = {};
    std::uint64_t missed = 0;  ///< Steps of scheduled calls that began after their instant.
};

/// Plain data in the segment, of all ranks together.
struct Collectives {
    Collectives(Arena& arena, const CollectiveSettings& settings);

    std::uint32_t* sides = nullptr;
    std::uint32_t dimensions = 0;
    bool is_torus = false;
    std::uint64_t packet_bytes = 0;
    endpoint::StartRule rule{};
    Duration guard{};
    bool wakes_for_steps = false;
    bool in_kernel_only = false;
    endpoint::StartJitter jitter;
    StartGroup* groups = nullptr;
    CollectiveCounts counts[kCollectiveFunctions];

    /// The group of these ranks in the order of their places in a grid; made if it is new.
    StartGroup& group_of(Arena& arena, std::span<const std::uint32_t> rank_at,
                         std::span<const std::uint32_t> group_sides);
    /// Those of all groups together; `rounds` is the largest.
    endpoint::StartTotals totals() const;
};

}  // namespace kumi::conductor
