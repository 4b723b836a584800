#pragma once

#include <cstdint>

#include "base/arena.hpp"
#include "base/time.hpp"
#include "engine/ring_queue.hpp"
#include "network/link/link_use.hpp"
#include "network/link/serialisation.hpp"

namespace kumi {

/// What a link carried. Packets count when they are put on the link.
struct LinkStatistics {
    std::uint64_t bytes = 0;  ///< On the wire: payload and packet headers.
    std::uint64_t packets = 0;
    Duration busy{};
    /// Time that packets waited because the link carried others, or for room in the buffer behind
    /// it. At a host's interface, whose queue is one of messages, the time that messages waited.
    Duration queue_wait{};
    Duration longest_wait{};
};

/// Packets of one message that follow each other on a link without a gap. Each becomes one event
/// at the link's far end; only the first is in the event queue.
struct PacketRun {
    Instant ready{};            ///< The first packet's event.
    Duration serialisation{};   ///< Of each packet on this link; also their distance in time.
    std::uint32_t transit = 0;  ///< The message.
    std::uint32_t count = 0;
    std::uint16_t hop = 0;        ///< This link's place in the message's path.
    bool ends_message = false;    ///< The last of these packets is the message's last.
    std::uint8_t channel = 0;     ///< The virtual channel on this link, where there are any.
    std::uint32_t next_link = 0;  ///< Of the message's path, behind this one, if there is one.

    /// Takes in a run that continues this one; false if it does not.
    bool extend(const PacketRun& next) {
        const bool continues = next.transit == transit && next.serialisation == serialisation &&
                               !ends_message && next.ready == ready + serialisation * count;
        if (!continues) return false;
        count += next.count;
        ends_message = next.ends_message;
        return true;
    }
};
static_assert(sizeof(PacketRun) == 32);

/// The packets on a link, first in, first out. Most links have none or one, which lies in here.
class PacketQueue {
   public:
    bool empty() const { return x_front.count == 0; }
    PacketRun& front() { return x_front; }
    const PacketRun& front() const { return x_front; }
    PacketRun& back() { return x_rest_count == 0 ? x_front : x_rest->back(); }

    void push(Arena& arena, const PacketRun& run) {
        if (empty()) {
            x_front = run;
        } else {
            push_behind(arena, run);
        }
    }
    void pop() {
        if (x_rest_count == 0) {
            x_front.count = 0;
        } else {
            pull_up();
        }
    }

    /// For fetching memory in advance: first where the packets behind the front are kept, then the
    /// first of them and the place for one more.
    void prefetch_rest() const {
        if (x_rest_count != 0) prefetch_line(x_rest);
    }
    void prefetch_packets() const {
        if (x_rest_count == 0) return;
        x_rest->prefetch_front();
        x_rest->prefetch_back();
    }

   private:
    [[gnu::noinline]] void push_behind(Arena& arena, const PacketRun& run) {
        if (x_rest == nullptr) x_rest = arena.make<RingQueue<PacketRun>>();
        x_rest->push(arena, run);
        ++x_rest_count;
    }
    void pull_up() {
        x_front = x_rest->front();
        x_rest->pop();
        --x_rest_count;
    }

    PacketRun x_front;  ///< Of no packets if the queue is empty.
    RingQueue<PacketRun>* x_rest = nullptr;
    std::uint32_t x_rest_count = 0;
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

    /// Reserves the link for `span`, from `ready` on at the earliest; returns when that begins.
    Instant reserve(Instant ready, Duration span, std::uint64_t size_bytes, std::uint64_t packets) {
        const Instant start = later(ready, free_at);
        const Duration wait = start - ready;
        KUMI_ASSERT(!__builtin_add_overflow(start.ps, span.ps, &free_at.ps),
                    "virtual time has come to its end");
        count(span, wait, size_bytes, packets);
        return start;
    }

    /// Takes the link, which is free, for `span` from `start` on, after a wait.
    void occupy(Instant start, Duration span, Duration wait, std::uint64_t size_bytes,
                std::uint64_t packets) {
        KUMI_ASSERT(!__builtin_add_overflow(start.ps, span.ps, &free_at.ps),
                    "virtual time has come to its end");
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

}  // namespace kumi
