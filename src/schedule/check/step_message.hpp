#pragma once

#include <cstdint>
#include <vector>

#include "collectives/patterns/pattern.hpp"
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

}  // namespace kumi::schedule
