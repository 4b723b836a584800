#include "conductor/port/memory_port.hpp"

#include <sys/types.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "conductor/baton/baton.hpp"
#include "conductor/delivery/post.hpp"
#include "conductor/pairing/complete_requests.hpp"
#include "conductor/pairing/pairing.hpp"
#include "conductor/port/rank_port.hpp"
#include "conductor/ranks/inbox.hpp"
#include "conductor/system/process_memory.hpp"

namespace kumi::conductor {

void MemoryPort::read_memory(std::uint32_t rank, std::uint64_t address, void* into,
                             std::size_t size_bytes) {
    const pid_t process = x_state->slot(rank).facts.pid.load(std::memory_order_relaxed);
    if (read_process(process, address, into, size_bytes)) return;
    const int error = errno;
    char text[200];
    std::snprintf(text, sizeof text, "%zu bytes of rank %u's send buffer cannot be read: %s",
                  size_bytes, rank, std::strerror(error));
    x_state->condemn(VerdictKind::kRemoteAccess, x_rank, error, text);
    wait_for_the_end();
}

endpoint::Request* MemoryPort::origin_of(const Message& message) {
    const std::uint32_t number =
        x_state->requests.find(message.head.origin_request, message.source);
    return number == endpoint::kNone ? nullptr : &x_state->requests[number];
}

void MemoryPort::note_copied(std::uint64_t origin, std::uint32_t source) {
    const Exclusive exclusive(*x_state);
    const std::uint32_t number = x_state->requests.find(origin, source);
    if (number == endpoint::kNone) return;
    endpoint::Request& request = x_state->requests[number];
    request.is_copied = true;
    note_certain(*x_state, source, request);
    retire(*x_state, number);
}

std::byte* MemoryPort::make_stash(std::uint32_t number, std::uint64_t size_bytes) {
    const Exclusive exclusive(*x_state);
    auto* stash = static_cast<std::byte*>(x_state->arena->allocate(size_bytes));
    x_state->requests[number].stash = stash;
    return stash;
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
