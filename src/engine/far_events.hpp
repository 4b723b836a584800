#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/memory/arena.hpp"
#include "engine/event_key.hpp"

namespace kumi::engine {

/// Events that are not due yet, roughly sorted: a radix heap [Ahuja90]. A time is a number of six
/// bits a digit; an event lies in the bucket of the highest digit in which its time differs from
/// `base`, and of that digit's value, so that buckets are in order of time. An event goes into its
/// bucket by one write, and moves to lower ones as its time comes near; how many events there are
/// hardly matters.
///
/// Buckets are lists of small chunks, which are used again at once: what is moved stays in a cache.
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
        if (bucket.next == bucket.end) add_chunk(arena, index);
        *bucket.next++ = event;
        ++bucket.count;
        bucket.earliest_ps = std::min(bucket.earliest_ps, event.key.time.ps);
        ++x_count;
    }

    /// Takes the next events out; there must be some. From then on only events at `end` or later
    /// may be put in.
    Batch take_batch(Arena& arena);

   private:
    /// Two KiB.
    struct Chunk {
        static constexpr std::uint32_t kEvents = 63;
        Chunk* next = nullptr;
        alignas(32) Event events[kEvents];
    };
    static_assert(sizeof(Chunk) == 2048);
    struct Bucket {
        Chunk* first = nullptr;
        Event* next = nullptr;  ///< Place in the last chunk.
        Event* end = nullptr;   ///< Of the last chunk.
        std::int64_t earliest_ps = kNever.ps;
        std::uint32_t count = 0;
    };
    /// An array that batches are made in.
    template <class T>
    struct Block {
        T* first = nullptr;
        std::uint32_t capacity = 0;
    };
    static constexpr std::uint32_t kDigitBits = 6;
    static constexpr std::uint32_t kDigits = 1U << kDigitBits;
    static constexpr std::uint32_t kLevels = (63 + kDigitBits - 1) / kDigitBits;

    std::uint32_t bucket_of(Instant time) const {
        const auto bits = static_cast<std::uint64_t>(time.ps);
        const std::uint64_t difference = bits ^ static_cast<std::uint64_t>(x_base);
        const auto highest = static_cast<std::uint32_t>(std::bit_width(difference | 1)) - 1;
        const std::uint32_t level = highest / kDigitBits;
        const auto digit = static_cast<std::uint32_t>(bits >> (level * kDigitBits)) % kDigits;
        return level * kDigits + digit;
    }
    std::uint32_t first_bucket() const {
        const auto level = static_cast<std::uint32_t>(std::countr_zero(x_used_levels));
        return level * kDigits + static_cast<std::uint32_t>(std::countr_zero(x_used[level]));
    }
    void add_chunk(Arena& arena, std::uint32_t index);
    Bucket take_bucket(std::uint32_t index);
    template <class Receive>
    static void empty_bucket(Arena& arena, const Bucket& bucket, Receive&& receive);
    void split(Arena& arena, std::uint32_t index);
    void append_sorted(Arena& arena, std::uint32_t index, Batch& batch);
    Instant end_of(std::uint32_t index) const;
    template <class T>
    static void make_room(Arena& arena, Block<T>& block, std::uint32_t count);

    std::int64_t x_base = 0;
    std::uint64_t x_used[kLevels] = {};  ///< A bit for each bucket that is not empty.
    std::uint32_t x_used_levels = 0;     ///< A bit for each level that has such.
    std::uint32_t x_count = 0;
    Block<Event> x_list;     ///< The last batch.
    Block<Event> x_scratch;  ///< For sorting it, as the next one.
    Block<std::uint64_t> x_words;
    Bucket x_buckets[kLevels * kDigits];
};

}  // namespace kumi::engine
