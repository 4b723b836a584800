#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "conductor/port/rank_port.hpp"

namespace kumi::conductor {

/// A rank's end of the conductor for memory that ranks reach without a receive: payloads of
/// rendezvous messages, which are read from the sender, and regions for puts and gets.
class MemoryPort : public RankPort {
   public:
    explicit MemoryPort(RankProcess& process) : RankPort(process) {}

    bool can_reach_memory() const {
        return x_state->can_reach_memory.load(std::memory_order_relaxed);
    }
    /// Takes the payload of a rendezvous message, up to `size_bytes`, into `pieces`: from where its
    /// sender keeps it, or from the sender's own buffer. A failure ends the run.
    void take_payload(const Message& message, std::span<const iovec> pieces,
                      std::uint64_t size_bytes);
    /// Keeps the payload of a send, `size_bytes`, for a rank that has not taken it from this
    /// rank's memory yet, unless it has or that is done: `fill(std::byte*)` writes it. In real
    /// time no rank takes it meanwhile.
    template <class Fill>
    void keep_payload(std::uint32_t number, std::uint64_t size_bytes, Fill&& fill) {
        const Exclusive exclusive(*x_state);
        endpoint::Request& request = x_state->requests[number];
        if (request.is_copied || request.stash != nullptr) return;
        auto* stash = static_cast<std::byte*>(x_state->arena->allocate(size_bytes));
        fill(stash);
        request.stash = stash;
    }
    /// Makes memory of this rank reachable for puts and gets under `key`.
    void expose(std::uint64_t key, std::uint64_t base, std::uint64_t size_bytes);
    void withdraw(std::uint64_t key);
    /// Carries out remote accesses that the interface could not.
    void serve();

   private:
    // Both return 0, or the system's error.
    int try_to_take(const Message& message, std::span<const iovec> pieces,
                    std::uint64_t size_bytes);
    int copy_payload(const Message& message, const endpoint::Request& origin,
                     std::span<const iovec> pieces, std::uint64_t size_bytes);
};

}  // namespace kumi::conductor
