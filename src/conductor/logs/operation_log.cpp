#include "conductor/logs/operation_log.hpp"

#include "conductor/ranks/inbox.hpp"
#include "conductor/ranks/rank_states.hpp"

namespace kumi::conductor {
namespace {

bool is_on(const ConductorState& state) {
    return state.recorder.records_operations() &&
           state.phase.load(std::memory_order_relaxed) == Phase::kVirtual;
}

void add(ConductorState& state, std::uint32_t rank, OperationRecord record) {
    const RankSlot& slot = state.slot(rank);
    record.rank = rank;
    record.clock_ps = slot.clock.get().ps;
    record.compute_ps = time_in(slot, RankState::kCompute).ps;
    record.wait_ps = (time_in(slot, RankState::kWait) - slot.seldom.slept).ps;
    record.slept_ps = slot.seldom.slept.ps;
    state.record(rank, record);
}

/// A control message has the head of what it asks for, but no payload.
bool carries_errors(const Message& message) {
    const bool has_payload =
        message.kind == MessageKind::kEager || message.kind == MessageKind::kRendezvous;
    return has_payload && message.head.allows_errors;
}

void note_errors(OperationRecord& record, const endpoint::Head& head) {
    record.allows_errors = 1;
    record.element = static_cast<std::uint8_t>(head.element);
    record.protected_bits = head.protected_bits;
    if (head.has_order)
        record.order = static_cast<std::uint8_t>(
            1 + static_cast<std::uint8_t>(head.important_first ? network::BitOrder::kImportantFirst
                                                               : network::BitOrder::kInOrder));
    record.function = head.function;
    record.ordinal = head.ordinal;
}

OperationRecord record_of(MessageStep kind, const Message& message, std::uint32_t peer) {
    OperationRecord record{};
    record.kind = static_cast<std::uint8_t>(kind);
    record.message = static_cast<std::uint8_t>(message.kind);
    record.sequence = message.sequence;
    record.size_bytes = message.size_bytes;
    record.peer = peer;
    if (kind != MessageStep::kReceive && carries_errors(message)) note_errors(record, message.head);
    return record;
}

}  // namespace

void log_start(ConductorState& state) {
    if (!state.recorder.records_operations()) return;
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
        std::uint32_t& count = state.slot(rank).recorded.messages_before_start;
        look_through(state, rank, [&count](std::uint32_t, const Message&) {
            ++count;
            return false;
        });
    }
}

void log_send(ConductorState& state, const Message& message) {
    if (!is_on(state)) return;
    add(state, message.source, record_of(MessageStep::kSend, message, message.target));
}

void log_receive(ConductorState& state, const Message& message) {
    if (!is_on(state)) return;
    RankSlot& slot = state.slot(message.target);
    if (slot.recorded.messages_before_start > 0) {
        --slot.recorded.messages_before_start;
        return;
    }
    OperationRecord record = record_of(MessageStep::kReceive, message, message.source);
    record.is_awaited = message.arrived == slot.clock ? 1 : 0;
    add(state, message.target, record);
}

void log_answer(ConductorState& state, const Message& answer, std::uint64_t request) {
    if (!is_on(state)) return;
    OperationRecord record = record_of(MessageStep::kAnswer, answer, answer.target);
    record.request = request;
    add(state, answer.source, record);
}

void log_end(ConductorState& state, std::uint32_t rank) {
    if (!is_on(state)) return;
    OperationRecord record{};
    record.kind = static_cast<std::uint8_t>(MessageStep::kEnd);
    add(state, rank, record);
}

}  // namespace kumi::conductor
