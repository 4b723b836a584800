#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "collectives/patterns/pattern.hpp"
#include "network/routing/routing.hpp"
#include "schedule/schedule.hpp"

namespace kumi::schedule {

/// A message, and the step in which its sender sends it.
struct StepMessage {
    std::uint32_t step = 0;
    std::uint32_t source = 0;
    std::uint32_t target = 0;
    std::uint64_t size_bytes = 0;
};

/// The messages of a pattern by step, in the order of ranks. Steps are those of all ranks together:
/// a rank that has nothing to do in a step leaves it out.
std::vector<StepMessage> messages_of(const collectives::Pattern& pattern, std::uint32_t ranks);

/// The messages of a schedule by step, in the order of ranks. The step of a message is the largest
/// number of messages that its send waits for one after another, all of them of its own rank: a
/// schedule does not hold steps that a rank left out.
std::vector<StepMessage> messages_of(const Schedule& schedule);

/// A directed link on the paths of two messages of one step.
struct SharedLink {
    std::uint32_t step = 0;
    network::LinkId link = 0;
    std::pair<std::uint32_t, std::uint32_t> first{}, second{};  ///< Ranks: source and target.
};

/// What one rank sends in all steps together.
struct StepTotals {
    std::uint64_t startups = 0;
    std::uint64_t size_bytes = 0;
    std::uint64_t hops = 0;  ///< Links between switches on the messages' paths.
    bool operator==(const StepTotals&) const = default;
};

struct StepCheck {
    std::uint32_t steps = 0;  ///< In which a message is sent.
    std::uint64_t messages = 0;
    std::vector<StepTotals> ranks;
    /// How often a message takes a link that another message of its step takes. Links of hosts
    /// count: they are shared if a rank sends, or receives, two messages in a step.
    std::uint64_t shared_links = 0;
    std::optional<SharedLink> first_shared;
};

/// Follows the messages of each step over a network, by the minimal path of each. `messages` are in
/// the order of steps; rank r is at host `hosts[r]`. Messages inside a host take no link. Throws
/// ScheduleError if two hosts are not connected.
StepCheck check_steps(std::span<const StepMessage> messages, const network::Routing& routing,
                      const network::FabricDescription& fabric,
                      std::span<const network::HostId> hosts);

}  // namespace kumi::schedule
