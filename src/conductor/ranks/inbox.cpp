#include "conductor/ranks/inbox.hpp"

#include "conductor/ranks/message_check.hpp"

namespace kumi::conductor {

std::uint32_t take(ConductorState& state, std::uint32_t rank) {
    Inbox& inbox = state.slot(rank).inbox;
    const std::uint32_t index = inbox.first;
    if (index == kNoMessage) return kNoMessage;
    const char* fault = find_fault_for(state, rank, index);
    if (fault == nullptr && !inbox.remove(state.messages, index)) fault = Inbox::kBroken;
    if (fault != nullptr) return reject(state, rank, fault);
    return index;
}

std::uint32_t reject(ConductorState& state, std::uint32_t rank, const char* fault) {
    state.condemn(VerdictKind::kCorrupt, rank, 0, fault);
    state.slot(rank).inbox = {};
    return kNoMessage;
}

void release_payload(ConductorState& state, Message& message) {
    if (message.payload != nullptr && message.is_read == 0) {
        if (const char* fault = find_payload_fault(state, message))
            state.condemn(VerdictKind::kCorrupt, 0, 0, fault);
        else
            state.arena->release(message.payload, message.payload_bytes);
    }
    message.payload = nullptr;
    message.payload_bytes = 0;
}

void discard(ConductorState& state, std::uint32_t index) {
    Message& message = state.messages.at(index);
    release_payload(state, message);
    message.magic = 0;
    state.messages.release(index);
}

}  // namespace kumi::conductor
