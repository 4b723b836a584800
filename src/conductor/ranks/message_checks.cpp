#include "conductor/ranks/message_checks.hpp"

namespace kumi::conductor {

const char* find_payload_fault(const ConductorState& state, const Message& message) {
    if (message.payload == nullptr)
        return message.payload_bytes == 0 ? nullptr : "its payload is missing";
    if (!state.arena->contains(message.payload, message.payload_bytes))
        return "its payload is outside of the run's memory";
    return nullptr;
}

[[gnu::noinline]] const char* find_fault(const ConductorState& state, std::uint32_t index) {
    if (!state.messages.may_be(index)) return "it does not exist";
    const Message& message = state.messages.at(index);
    if (message.magic != Message::kMagic) return "it does not begin like a message";
    if (message.seal != message.compute_seal()) return "it was changed on its way";
    if (message.source >= state.rank_count()) return "its source is no rank of this run";
    if (message.target >= state.rank_count()) return "its target is no rank of this run";
    if (message.kind > MessageKind::kInternal) return "its kind is unknown";
    if (message.reply_kind > MessageKind::kInternal) return "the kind of its answer is unknown";
    if (message.action > ArrivalAction::kReply) return "its action on arrival is unknown";
    if (const char* fault = find_payload_fault(state, message)) return fault;
    const bool reads_memory = message.action == ArrivalAction::kGet;
    if (reads_memory && message.reply_bytes > state.arena->free_bytes())
        return "it asks for more bytes than there is memory";
    return nullptr;
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
