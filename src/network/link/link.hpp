#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"
#include "base/time/time.hpp"
#include "network/link/link_use.hpp"
#include "network/link/packet_queue.hpp"
#include "network/link/serialisation.hpp"

namespace kumi::network {

/// What a link carried. Packets count when they are put on the link.
struct LinkStatistics {
    std::uint64_t bytes = 0;  ///< Payload and packet headers.
    std::uint64_t packets = 0;
    Duration busy{};
    /// Time that packets waited behind others. At a host's interface, whose queue is one of
    /// messages, the time that messages waited. What waits for room in the buffer behind the link
    /// (`Network::credit_wait`) or for the link to wake (`LinkPowerSummary::wake_stall`) is not in
    /// it; what waits behind something that does is.
    Duration queue_wait{};
    Duration longest_wait{};
};

/// What links have in common; a network has few kinds of links.
struct LinkKind {
    Serialisation serialisation;
    /// From the start of a packet on this link to its event at the far end: the link's latency,
    /// and the switch's if there is one. A delivering link adds the serialisation: its events are
    /// those of last bytes.
    Duration latency{};
    bool delivers = false;  ///< The far end is a host.
};

/// A directed link with its FIFO output queue. Packets reserve it in the order in which they ask;
/// the queue is the time until `free_at`.
struct alignas(64) Link {
    // First cache line: what every packet reads and writes when it comes and when it goes.
    Instant free_at{};
    std::uint64_t next_sequence = 0;  ///< Of this link's events.
    [[no_unique_address]] PacketQueue in_flight;
    std::uint32_t kind = 0;  ///< Lies in the queue's padding.
    // Second cache line: what is only counted.
    LinkStatistics statistics;
    LinkUse use;

    /// Reserves the link for `span`, from `ready` on at the earliest, if it is `awake` then;
    /// returns when that begins.
    Instant reserve(Instant ready, Instant awake, Duration span, std::uint64_t size_bytes,
                    std::uint64_t packets) {
        const Instant has_turn = later(ready, free_at);
        const Instant start = later(has_turn, awake);
        const Duration wait = has_turn - ready;
        if (__builtin_add_overflow(start.ps, span.ps, &free_at.ps)) end_of_virtual_time();
        count(span, wait, size_bytes, packets);
        return start;
    }

    /// Takes the link, which is free, for `span` from `start` on, after a wait behind others.
    void occupy(Instant start, Duration span, Duration wait, std::uint64_t size_bytes,
                std::uint64_t packets) {
        if (__builtin_add_overflow(start.ps, span.ps, &free_at.ps)) end_of_virtual_time();
        count(span, wait, size_bytes, packets);
    }

   private:
    void count(Duration span, Duration wait, std::uint64_t size_bytes, std::uint64_t packets) {
        statistics.bytes += size_bytes;
        statistics.packets += packets;
        statistics.busy += span;
        statistics.queue_wait += wait;
        if (wait > statistics.longest_wait) statistics.longest_wait = wait;
    }
};
static_assert(sizeof(Link) == 128);

}  // namespace kumi::network
