#include "conductor/logs/collective_calls.hpp"

namespace kumi::conductor {

void begin_collective(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    slot.collective_begin = slot.clock;
}

void end_collective(ConductorState& state, std::uint32_t rank, std::uint32_t number) {
    const RankSlot& slot = state.slot(rank);
    CollectiveCounts& counts = state.collectives->counts[number / kCollectiveChoices];
    ++counts.calls[number % kCollectiveChoices];
    counts.time[number % kCollectiveChoices] += slot.clock - slot.collective_begin;
}

}  // namespace kumi::conductor
