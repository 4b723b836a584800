#include "conductor/logs/call_log.hpp"

#include "base/check.hpp"
#include "conductor/ranks/rank_states.hpp"

namespace kumi::conductor {

void log_call(ConductorState& state, std::uint32_t rank, const LoggedCall& call) {
    const RankSlot& slot = state.slot(rank);
    CallRecord record{};
    record.tag = call.tag;
    record.ignore = call.ignore;
    record.size_bytes = call.size_bytes;
    record.compute_ps = slot.recorded.computed.ps;
    KUMI_ASSERT(
        !slot.stream.empty() || time_in(slot, RankState::kCompute) == slot.recorded.computed,
        "a process has computed for another time than its rank");
    record.slept_ps = slot.seldom.slept.ps;
    record.in_calls_ps = slot.recorded.computed_in_calls.ps;
    record.rank = rank;
    record.peer = call.peer;
    record.request = call.request;
    record.call = slot.call_count;
    record.kind = static_cast<std::uint8_t>(call.kind);
    record.call_class = static_cast<std::uint8_t>(slot.call_class);
    record.wants_completion = call.wants_completion ? 1 : 0;
    state.record(rank, record);
}

}  // namespace kumi::conductor
