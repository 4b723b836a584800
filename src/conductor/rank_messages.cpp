// The wire's part of a rank's port: messages, and memory that others reach.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "conductor/baton.hpp"
#include "conductor/early_receive.hpp"
#include "conductor/futex.hpp"
#include "conductor/operation_log.hpp"
#include "conductor/post.hpp"
#include "conductor/process_memory.hpp"
#include "conductor/rank_port.hpp"

namespace kumi {
namespace {

/// How long a rank sleeps in real time before it looks again by itself.
constexpr std::int64_t kRealTimeNap_ns = 2'000'000;

/// What was taken. If that was damaged, there is none, and the run has been condemned.
std::uint32_t or_the_end(std::uint32_t message) {
    if (message == kNoMessage) wait_for_the_end();
    return message;
}

/// Holds the real-time lock while there is no baton.
class Exclusive {
   public:
    explicit Exclusive(ConductorState& state) {
        if (state.phase.load(std::memory_order_acquire) != Phase::kVirtual) x_lock.emplace(state);
    }

   private:
    std::optional<RealTimeLock> x_lock;
};

}  // namespace

std::uint32_t RankPort::prepare(std::uint32_t target, MessageKind kind,
                                std::uint64_t payload_bytes) {
    KUMI_ASSERT(target < rank_count(), "a message to a rank that is not there");
    const Exclusive exclusive(*x_state);
    const std::uint32_t index = x_state->messages.acquire();
    Message& message = x_state->messages.at(index);
    message.source = x_rank;
    message.target = target;
    message.kind = kind;
    if (payload_bytes > 0) {
        message.payload = static_cast<std::byte*>(x_state->arena->allocate(payload_bytes));
        message.payload_bytes = payload_bytes;
    }
    return index;
}

void RankPort::send(std::uint32_t index, bool is_request) {
    const Exclusive exclusive(*x_state);
    Message& message = x_state->messages.at(index);
    message.sequence = x_slot->next_sequence++;
    message.is_synchronous = x_slot->call_class == CallClass::kSynchronous ? 1 : 0;
    message.seal = message.compute_seal();
    if (in_virtual_time()) {
        if (message.kind == MessageKind::kInternal) x_state->stays_in_time = true;
        list_sent(*x_state, index);
        if (x_slot->steps.full()) come_into_time();
        if (!is_in_time()) {
            ++x_state->deferred;
            return x_slot->steps.add({.kind = DeferredStep::Kind::kSend, .message = index});
        }
    }
    message.sent = x_slot->clock;
    if (x_slot->sent != nullptr)
        x_slot->sent->note(message.target, message.sent, message.size_bytes, is_request);
    log_send(*x_state, message);
    dispatch(*x_state, index);
}

std::uint32_t RankPort::take() {
    if (x_slot->early != kNoMessage) return or_the_end(take_early(*x_state, x_rank));
    if (!is_in_time()) return kNoMessage;
    if (x_slot->hides_unseen) return take_seen();
    // Looking is free of the lock: an arrival that is missed now is found at the next poll.
    if (x_slot->inbox.empty()) return kNoMessage;
    const Exclusive exclusive(*x_state);
    return or_the_end(kumi::take(*x_state, x_rank));
}

std::uint32_t RankPort::take_seen() {
    const std::uint32_t index = x_slot->inbox.first;
    if (!in_virtual_time() || !is_in_time() || index == kNoMessage) return kNoMessage;
    const bool exists = index < x_state->messages.capacity();
    if (exists && message(index).is_seen == 0) return kNoMessage;
    return or_the_end(kumi::take(*x_state, x_rank));
}

void RankPort::note_posted(std::uint32_t source, std::uint64_t tag, std::uint64_t ignore) {
    if (!in_virtual_time()) return;
    if (x_slot->steps.full()) come_into_time();
    if (is_in_time()) return;
    x_slot->steps.add(
        {.kind = DeferredStep::Kind::kPost, .message = source, .tag = tag, .ignore = ignore});
}

void RankPort::discard(std::uint32_t index) {
    const Exclusive exclusive(*x_state);
    kumi::discard(*x_state, index);
}

void RankPort::serve(std::uint32_t index) {
    const Exclusive exclusive(*x_state);
    x_state->messages.at(index).arrived = x_slot->clock;
    kumi::serve(*x_state, index);
}

void RankPort::block(const AwaitedMessage& awaited, std::span<const matching::PostedEntry> posted) {
    if (!in_virtual_time()) {
        const std::uint32_t rung = x_slot->bell.load(std::memory_order_acquire);
        if (x_slot->inbox.empty()) futex_wait(x_slot->bell, rung, kRealTimeNap_ns);
        return;
    }
    // If it hides something, it would have waited until now, or until that arrived.
    const bool has_arrivals = is_in_time() && !x_slot->inbox.empty();
    if (has_arrivals && !x_slot->hides_unseen) return;
    if (!has_arrivals && receive_early(*x_state, x_rank, awaited)) return;
    if (!x_state->keeps_in_time(x_rank))
        for (const matching::PostedEntry& receive : posted) {
            x_slot->posted.append(*x_state->arena, receive);
            x_slot->needed += receive.id;
        }
    if (is_in_time()) begin_wait(*x_state, x_rank);
    if (has_arrivals) look_later(*x_state, x_rank);
    x_slot->process = ProcessState::kAwaitsMessage;
    x_slot->hides_unseen = false;
    pass_baton(*x_state, x_rank);
    if (is_in_time() && x_slot->state == RankState::kWait)
        enter_state(*x_state, x_rank, RankState::kCommunication);
}

void RankPort::describe_wait(std::uint32_t posted, std::uint32_t oldest_source,
                             std::uint64_t oldest_tag) {
    x_slot->waiting_count = posted;
    x_slot->waiting_source = oldest_source;
    x_slot->waiting_tag = oldest_tag;
}

void RankPort::read_memory(std::uint32_t rank, std::uint64_t address, void* into,
                           std::size_t size_bytes) {
    const pid_t process = x_state->slot(rank).pid.load(std::memory_order_relaxed);
    if (read_process(process, address, into, size_bytes)) return;
    const int error = errno;
    char text[200];
    std::snprintf(text, sizeof text, "%zu bytes of rank %u's send buffer cannot be read: %s",
                  size_bytes, rank, std::strerror(error));
    x_state->condemn(VerdictKind::kRemoteAccess, x_rank, error, text);
    wait_for_the_end();
}

void RankPort::expose(std::uint64_t key, std::uint64_t base, std::uint64_t size_bytes) {
    const Exclusive exclusive(*x_state);
    x_slot->regions.expose(*x_state->arena, key, base, size_bytes);
}

void RankPort::withdraw(std::uint64_t key) {
    const Exclusive exclusive(*x_state);
    x_slot->regions.withdraw(key);
}

}  // namespace kumi
