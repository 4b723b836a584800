#include "conductor/port/memory_port.hpp"

#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/check.hpp"
#include "conductor/baton/baton.hpp"
#include "conductor/delivery/post.hpp"
#include "conductor/pairing/complete_requests.hpp"
#include "conductor/pairing/pairing.hpp"
#include "conductor/port/rank_port.hpp"
#include "conductor/ranks/inbox.hpp"
#include "conductor/system/process_memory.hpp"

namespace kumi::conductor {

void MemoryPort::take_payload(const Message& message, std::span<const iovec> pieces,
                              std::uint64_t size_bytes) {
    const int error = try_to_take(message, pieces, size_bytes);
    if (error == 0) return;
    char text[200];
    std::snprintf(text, sizeof text, "%llu bytes of rank %u's send buffer cannot be read: %s",
                  static_cast<unsigned long long>(size_bytes), message.source,
                  std::strerror(error));
    x_state->condemn(VerdictKind::kRemoteAccess, x_rank, error, text);
    wait_for_the_end();
}

int MemoryPort::try_to_take(const Message& message, std::span<const iovec> pieces,
                            std::uint64_t size_bytes) {
    // The sender may change its buffer as soon as its send is complete: in real time it must not
    // see that while this rank copies.
    const Exclusive exclusive(*x_state);
    const std::uint32_t number =
        x_state->requests.find(message.head.origin_request, message.source);
    if (number == endpoint::kNone) {
        KUMI_ASSERT(size_bytes == 0, "the payload of a message is gone");
        return 0;
    }
    endpoint::Request& origin = x_state->requests[number];
    if (const int error = copy_payload(message, origin, pieces, size_bytes)) return error;
    origin.is_copied = true;
    note_certain(*x_state, message.source, origin);
    retire(*x_state, number);
    return 0;
}

int MemoryPort::copy_payload(const Message& message, const endpoint::Request& origin,
                             std::span<const iovec> pieces, std::uint64_t size_bytes) {
    const pid_t sender = x_state->slot(message.source).facts.pid.load(std::memory_order_relaxed);
    std::uint64_t copied = 0;
    for (const iovec& piece : pieces) {
        const std::uint64_t part = std::min<std::uint64_t>(piece.iov_len, size_bytes - copied);
        if (part == 0) continue;
        if (origin.stash != nullptr)
            std::memcpy(piece.iov_base, origin.stash + copied, part);
        else if (!read_process(sender, message.head.address + copied, piece.iov_base, part))
            return errno;
        copied += part;
    }
    return 0;
}

void MemoryPort::expose(std::uint64_t key, std::uint64_t base, std::uint64_t size_bytes) {
    const Visit visit(x_process);
    const Exclusive exclusive(*x_state);
    x_slot->regions.expose(*x_state->arena, key, base, size_bytes);
}

void MemoryPort::withdraw(std::uint64_t key) {
    const Visit visit(x_process);
    const Exclusive exclusive(*x_state);
    x_slot->regions.withdraw(key);
}

void MemoryPort::serve() {
    while (!x_slot->to_serve.empty()) {
        const Exclusive exclusive(*x_state);
        const std::uint32_t index = take_from(*x_state, x_rank, x_slot->to_serve);
        if (index == kNoMessage) break;
        x_state->messages.at(index).arrived = x_slot->clock;
        kumi::conductor::serve(*x_state, index);
    }
    end_if_condemned();
}

}  // namespace kumi::conductor
