#pragma once

#include <cstdint>
#include <limits>

#include "base/time/time.hpp"
#include "engine/queues.hpp"

namespace kumi::network {

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

/// Packets behind the first ones of a link. There may be one for each message of a run, so that it
/// counts more how much memory they take than that some of them lie in two cache lines.
struct WaitingPackets {
    PacketRun run;
    std::uint32_t next = 0;
};
/// Those of all links.
using PacketPool = Pool<WaitingPackets>;

/// The packets on a link, first in, first out. Most links have none or one, which lies in here; the
/// others are in a pool that all links share.
class PacketQueue {
   public:
    bool empty() const { return x_front.count == 0; }
    PacketRun& front() { return x_front; }
    const PacketRun& front() const { return x_front; }

    /// Puts packets behind the others; returns whether they are the only ones now.
    bool push(PacketPool& pool, const PacketRun& run) {
        if (empty()) {
            x_front = run;
            note_last(run);
            return true;
        }
        // What cannot be continued is left alone: it is in no cache.
        if (x_unfinished == run.transit && back(pool).extend(run)) {
            note_last(run);
            return false;
        }
        x_rest.push(pool, {run});
        note_last(run);
        return false;
    }
    void pop(PacketPool& pool) {
        if (x_rest.empty()) {
            x_front.count = 0;
        } else {
            x_front = x_rest.take(pool).run;
        }
    }

    /// For fetching memory in advance: what comes behind the front, and the last ones.
    void prefetch_second(const PacketPool& pool) const { x_rest.prefetch_first(pool); }
    void prefetch_last(const PacketPool& pool) const { x_rest.prefetch_last(pool); }

   private:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    PacketRun& back(PacketPool& pool) { return x_rest.empty() ? x_front : x_rest.back(pool).run; }
    void note_last(const PacketRun& run) { x_unfinished = run.ends_message ? kNone : run.transit; }

    PacketRun x_front;  ///< Of no packets if the queue is empty.
    engine::ListQueue<WaitingPackets> x_rest;
    /// The message of the last packet in here, unless it ends there.
    std::uint32_t x_unfinished = kNone;
};

}  // namespace kumi::network
