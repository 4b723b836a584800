#pragma once

#include <bit>
#include <cstdint>

#include "base/arena.hpp"
#include "engine/event_key.hpp"

namespace kumi {

/// Events that are not due yet, roughly sorted: a radix heap [Ahuja90]. Bucket b has the events
/// whose time differs from that of `base` in bit b - 1 and in none above, so that all of a bucket
/// come before all of the next. An event goes into its bucket by one write, and moves to lower ones
/// as its time comes near; how many events there are does not matter.
///
/// Plain data in an arena.
class FarEvents {
   public:
    /// A few events that come next, in their order. Valid until the next call.
    struct Batch {
        Event* first = nullptr;
        std::uint32_t count = 0;
        Instant end{};  ///< After all of the batch, not after any event that is left.
    };

    bool empty() const { return x_count == 0; }
    std::uint32_t size() const { return x_count; }

    /// There must be no events; none before `base` may be put in until `take_batch` says so.
    void start(Instant base) { x_base = base.ps; }

    void push(Arena& arena, const Event& event) {
        const std::uint32_t index = bucket_of(event.key.time);
        Bucket& bucket = x_buckets[index];
        if (bucket.count == bucket.capacity) grow(arena, bucket);
        bucket.events[bucket.count++] = event;
        x_used |= std::uint64_t{1} << index;
        ++x_count;
    }

    /// Takes the next events out; there must be some. From then on only events at `end` or later
    /// may be put in.
    Batch take_batch(Arena& arena);

   private:
    struct Bucket {
        Event* events = nullptr;
        std::uint32_t count = 0;
        std::uint32_t capacity = 0;
    };
    static constexpr std::uint32_t kBuckets = 64;

    std::uint32_t bucket_of(Instant time) const {
        const auto difference = static_cast<std::uint64_t>(time.ps ^ x_base);
        return static_cast<std::uint32_t>(std::bit_width(difference));
    }
    void grow(Arena& arena, Bucket& bucket);
    static void forget_large(Arena& arena, Bucket& bucket);
    void split(Arena& arena, std::uint32_t index);
    Instant end_of(std::uint32_t index) const;

    std::int64_t x_base = 0;
    std::uint64_t x_used = 0;  ///< A bit for each bucket that is not empty.
    std::uint32_t x_count = 0;
    Bucket x_taken;    ///< The memory of the last batch.
    Bucket x_scratch;  ///< For sorting it; of no count.
    Bucket x_buckets[kBuckets];
};

}  // namespace kumi
