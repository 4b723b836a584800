#pragma once

#include <cstdint>
#include <numeric>

#include "base/memory/arena.hpp"
#include "base/time/time.hpp"
#include "network/link/link_use.hpp"
#include "network/link/packet_queue.hpp"

namespace kumi::network {

/// How long bytes take at one rate: the same as `transfer_time`, to the picosecond, but without a
/// 128-bit division. Picoseconds per byte are kept as a reduced fraction; for rates that divide
/// 8e12 (most that are sold) it is whole, and one multiplication is all.
class Serialisation {
   public:
    Serialisation() = default;
    explicit Serialisation(std::uint64_t rate_bps) {
        KUMI_ASSERT(rate_bps != 0, "a rate of zero moves nothing");
        const std::uint64_t common = std::gcd(kBitPicosecondsPerByte, rate_bps);
        x_numerator = kBitPicosecondsPerByte / common;
        x_denominator = rate_bps / common;
    }

    Duration operator()(std::uint64_t size_bytes) const {
        std::uint64_t scaled = 0;
        if (__builtin_expect(__builtin_mul_overflow(size_bytes, x_numerator, &scaled), 0) ||
            scaled > kSafe) {
            return transfer_time(size_bytes, rate_bps());
        }
        if (x_denominator == 1) return {static_cast<std::int64_t>(scaled)};
        return {static_cast<std::int64_t>((scaled + x_denominator - 1) / x_denominator)};
    }

    std::uint64_t rate_bps() const { return kBitPicosecondsPerByte / x_numerator * x_denominator; }

   private:
    static constexpr std::uint64_t kBitPicosecondsPerByte = 8'000'000'000'000ULL;
    static constexpr std::uint64_t kSafe = std::uint64_t{1} << 62;

    std::uint64_t x_numerator = 1;
    std::uint64_t x_denominator = 1;
};

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

    bool operator==(const LinkStatistics&) const = default;
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
