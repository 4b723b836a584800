#pragma once

#include <cstddef>
#include <cstdint>

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
    /// Reads the memory of another rank; a failure ends the run.
    void read_memory(std::uint32_t rank, std::uint64_t address, void* into, std::size_t size_bytes);
    /// The sender's request for the payload of a message; nullptr if it is over.
    endpoint::Request* origin_of(const Message& message);
    /// The payload of such a request has been copied: the sender's own is not needed any more.
    void note_copied(std::uint64_t origin, std::uint32_t source);
    /// Keeps `size_bytes` for ranks that have not copied them from this rank's memory yet.
    std::byte* make_stash(std::uint32_t request, std::uint64_t size_bytes);
    /// Makes memory of this rank reachable for puts and gets under `key`.
    void expose(std::uint64_t key, std::uint64_t base, std::uint64_t size_bytes);
    void withdraw(std::uint64_t key);
    /// Carries out remote accesses that the interface could not.
    void serve();
};

}  // namespace kumi::conductor
