#include "conductor/ranks/inbox.hpp"

#include "conductor/ranks/message_checks.hpp"

namespace kumi::conductor {

std::uint32_t take_from(ConductorState& state, std::uint32_t rank, Inbox& list) {
    const std::uint32_t index = list.first;
    if (index == kNoMessage) return kNoMessage;
    const char* fault = index == state.checked ? nullptr : find_fault_for(state, rank, index);
    if (fault == nullptr && !list.remove(state.messages, index)) fault = Inbox::kBroken;
    if (fault != nullptr) return reject(state, rank, fault);
    return index;
}

std::uint32_t take(ConductorState& state, std::uint32_t rank) {
    return take_from(state, rank, state.slot(rank).inbox);
}

std::uint32_t reject(ConductorState& state, std::uint32_t rank, const char* fault) {
    state.condemn(VerdictKind::kCorrupt, rank, 0, fault);
    state.slot(rank).inbox = {};
    return kNoMessage;
}

}  // namespace kumi::conductor
