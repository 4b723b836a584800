#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "network/routing/routing.hpp"
#include "schedule/check/step_message.hpp"

namespace kumi::schedule {

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
