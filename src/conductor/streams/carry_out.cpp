#include "conductor/streams/carry_out.hpp"

#include <algorithm>
#include <utility>

#include "base/memory/prefetch.hpp"
#include "conductor/delivery/arrivals.hpp"
#include "conductor/delivery/rank_interface.hpp"
#include "conductor/delivery/services.hpp"
#include "conductor/pairing/complete_requests.hpp"
#include "conductor/pairing/running_ahead.hpp"
#include "conductor/ranks/message_checks.hpp"
#include "conductor/ranks/rank_states.hpp"
#include "conductor/ranks/scheduling.hpp"
#include "conductor/streams/common_start.hpp"

namespace kumi::conductor {
namespace {

using Kind = StreamOperation::Kind;

void fetch(const Message& message) {
    const auto* first = reinterpret_cast<const std::byte*>(&message);
    for (std::size_t line = 0; line < sizeof(Message); line += 64) prefetch_line(first + line);
}

/// Fetches what the operations that follow the first are about: that was touched long ago.
void fetch_ahead(const ConductorState& state, const Stream& stream) {
    constexpr std::uint32_t kAhead = 6;
    for (std::uint32_t ahead = 1; ahead < std::min(kAhead, stream.size()); ++ahead) {
        const StreamOperation& operation = stream.upcoming(ahead);
        if (operation.kind == Kind::kSend && state.messages.may_be(operation.number))
            fetch(state.messages.at(operation.number));
        if (operation.kind == Kind::kPost || operation.kind == Kind::kWait) {
            if (operation.number == endpoint::kNone) continue;
            prefetch_line(&state.requests[operation.number]);
            prefetch_line(&state.requests[operation.number].pattern);
        }
    }
}

/// What the rank sent ahead of its clock is on its way, unless it was damaged in between.
bool send(ConductorState& state, std::uint32_t rank, std::uint32_t index) {
    if (const char* fault = find_fault(state, index)) {
        state.condemn(VerdictKind::kCorrupt, rank, 0, fault);
        return false;
    }
    --state.deferred;
    send_now(state, index, /*is_request=*/false, /*is_sealed=*/true);
    return true;
}

/// Whether the process is synchronised, and waits by the operation at the front.
bool waits_synchronised(const RankSlot& slot) {
    return slot.process == ProcessState::kAwaitsRequests && slot.stream.size() == 1;
}

/// Passes over those awaited requests that are complete. Whether all are.
bool has_all(ConductorState& state, StreamOperation& wait) {
    while (wait.number != endpoint::kNone) {
        const std::uint32_t number = wait.number;
        endpoint::Request& request = state.requests[number];
        if (request.state != endpoint::RequestState::kComplete) return false;
        wait.number = request.next_awaited;
        request.is_awaited = request.is_uncertain = false;
        retire(state, number);
    }
    return true;
}

void forget_awaited(ConductorState& state, StreamOperation& wait) {
    while (wait.number != endpoint::kNone) {
        endpoint::Request& request = state.requests[wait.number];
        wait.number = request.next_awaited;
        request.is_awaited = request.is_uncertain = false;
    }
}

/// Whether the process, which is synchronised and waits, finds something when it looks now.
bool is_of_interest(const RankSlot& slot, const StreamOperation& wait) {
    return slot.held.may_answer ||
           (!wait.is_exact && slot.endpoint.first_complete != endpoint::kNone);
}

/// The rank's clock is where it waits. Whether it need not wait any longer.
bool wait(ConductorState& state, std::uint32_t rank, StreamOperation& wait) {
    RankSlot& slot = state.slot(rank);
    const bool is_for_any = wait.number == endpoint::kNone;
    const bool begins = wait.kind == Kind::kWait;
    wait.kind = Kind::kWaiting;
    if (begins) hold_internal(state, rank, wait.holds_internal);
    if (!begins) {
        enter_state(state, rank, RankState::kCommunication);
        if (look_at_arrivals(state, rank) && is_for_any) return true;
    }
    if (!is_for_any && has_all(state, wait)) return true;
    if (waits_synchronised(slot) && is_of_interest(slot, wait)) {
        forget_awaited(state, wait);
        return true;
    }
    begin_wait(state, rank);
    if (begins && !slot.inbox.empty()) make_runnable(state, rank);
    return false;
}

/// The rank's clock is where it waits for a common start. Whether it goes on from there.
bool start(ConductorState& state, std::uint32_t rank, StreamOperation& operation) {
    const bool begins = operation.kind == Kind::kStart;
    operation.kind = Kind::kStarting;
    if (begins) hold_internal(state, rank, /*is_known=*/false);
    if (await_start(state, rank, begins)) return true;
    if (!state.slot(rank).start_member->synchroniser.is_inside()) operation.kind = Kind::kStarted;
    return false;
}

/// Its stream is empty.
void synchronise(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    slot.clock += slot.stream.take_spent();
    if (slot.process == ProcessState::kReady) state.scheduling.ready.remove(rank);
    make_runnable(state, rank);
}

}  // namespace

void carry_out(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    fetch_ahead(state, slot.stream);
    for (; !slot.stream.empty(); slot.stream.remove_first()) {
        StreamOperation& operation = slot.stream.first();
        slot.clock += operation.before;
        operation.before = {};
        // Nothing of that counts: the run ends when all have come to the limit.
        if (slot.clock > state.configuration.time_limit) return make_runnable(state, rank);
        switch (operation.kind) {
            case Kind::kEnter:
                enter_state(state, rank, RankState::kCommunication);
                if (state.call_sums != nullptr) begin_call(state, rank);
                break;
            case Kind::kLeave:
                enter_state(state, rank, RankState::kCompute);
                break;
            case Kind::kNameMembers:
                slot.call.members = operation.number;
                break;
            case Kind::kSumCall:
                sum_call(state, rank, operation.number);
                break;
            case Kind::kSend:
                if (!send(state, rank, operation.number)) return;
                break;
            case Kind::kPost:
                if (slot.endpoint.by_interface && !has_caught_up(state, rank))
                    return make_runnable(state, rank);
                post_receive_now(state, rank, operation.number);
                break;
            case Kind::kHint:
                take_hint(state, rank, endpoint::service::Hint::unpacked(operation.number));
                break;
            case Kind::kStart:
            case Kind::kStarting:
                if (!start(state, rank, operation)) return;
                break;
            case Kind::kStarted:
                break;
            case Kind::kBeginCollective:
                begin_collective(state, rank);
                break;
            case Kind::kEndCollective:
                end_collective(state, rank, operation.number);
                break;
            case Kind::kWait:
            case Kind::kWaiting:
                if (!wait(state, rank, operation)) return;
                --state.deferred;
                break;
        }
        if (state.diagnosis.verdict.kind.load(std::memory_order_relaxed) != VerdictKind::kNone)
            return;
    }
    synchronise(state, rank);
}

bool interrupt_wait(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    if (slot.status.load(std::memory_order_relaxed) != RankStatus::kBlocked) return false;
    if (waits_synchronised(slot)) {
        forget_awaited(state, slot.stream.first());
        --state.deferred;
    } else if (slot.stream.empty() || slot.stream.first().kind != Kind::kStarting) {
        return false;
    }
    slot.stream.remove_first();
    slot.clock = later(slot.clock, state.network->now());
    make_runnable(state, rank);
    return true;
}

void begin_call(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    slot.call.begin = slot.clock;
    if (slot.sent != nullptr) slot.sent->clear();
}

void sum_call(ConductorState& state, std::uint32_t rank, std::uint32_t number) {
    RankSlot& slot = state.slot(rank);
    state.call_sums[rank].add({.place = number / 2,
                               .only_asks = number % 2 != 0,
                               .members = std::exchange(slot.call.members, 0),
                               .begin = slot.call.begin,
                               .end = slot.clock,
                               .sent = slot.sent->all()});
}

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
