#include "engine/far_events.hpp"

#include <cstring>
#include <utility>

#include "engine/event_sort.hpp"

namespace kumi::engine {

/// Number of events that are sorted as fast as they would be distributed again.
constexpr std::uint32_t kBatch = 512;
/// A larger block is given back before the next batch: most are small.
constexpr std::uint32_t kKeptCapacity = 1U << 14;

void FarEvents::add_chunk(Arena& arena, std::uint32_t index) {
    KUMI_ASSERT(x_count < 0xFFFFFFFF, "too many outstanding events");
    auto* chunk = static_cast<Chunk*>(arena.allocate(sizeof(Chunk)));
    chunk->next = nullptr;
    Bucket& bucket = x_buckets[index];
    if (bucket.first == nullptr) {
        bucket.first = chunk;
        x_used[index / kDigits] |= std::uint64_t{1} << index % kDigits;
        x_used_levels |= 1U << index / kDigits;
    } else {
        auto* last = reinterpret_cast<Chunk*>(bucket.end) - 1;
        last->next = chunk;
    }
    bucket.next = chunk->events;
    bucket.end = chunk->events + Chunk::kEvents;
}

FarEvents::Bucket FarEvents::take_bucket(std::uint32_t index) {
    std::uint64_t& used = x_used[index / kDigits];
    used &= ~(std::uint64_t{1} << index % kDigits);
    if (used == 0) x_used_levels &= ~(1U << index / kDigits);
    const Bucket taken = std::exchange(x_buckets[index], {});
    x_count -= taken.count;
    return taken;
}

/// Gives the events to `receive` as arrays, in the order in which they were put in.
template <class Receive>
void FarEvents::empty_bucket(Arena& arena, const Bucket& bucket, Receive&& receive) {
    std::uint32_t left = bucket.count;
    for (Chunk* chunk = bucket.first; chunk != nullptr;) {
        const std::uint32_t count = std::min(left, Chunk::kEvents);
        Chunk* const next = chunk->next;
        receive(chunk->events, count);
        arena.release(chunk, sizeof(Chunk));
        left -= count;
        chunk = next;
    }
}

Instant FarEvents::end_of(std::uint32_t index) const {
    const std::uint32_t shift = index / kDigits * kDigitBits;
    const auto base = static_cast<std::uint64_t>(x_base);
    // What is above the digit is that of the base. The highest digit need not be a whole one.
    const std::uint32_t above = shift + kDigitBits;
    const std::uint64_t prefix = above >= 64 ? 0 : base >> above << above;
    const std::uint64_t last =
        prefix + (std::uint64_t{index % kDigits} << shift) + ((std::uint64_t{1} << shift) - 1);
    return last >= static_cast<std::uint64_t>(kNever.ps)
               ? kNever
               : Instant{static_cast<std::int64_t>(last) + 1};
}

/// Distributes a bucket over those below it, by its earliest time.
void FarEvents::split(Arena& arena, std::uint32_t index) {
    const Bucket whole = take_bucket(index);
    x_base = whole.earliest_ps;
    empty_bucket(arena, whole, [&](const Event* events, std::uint32_t count) {
        for (std::uint32_t place = 0; place < count; ++place) push(arena, events[place]);
    });
}

void FarEvents::append_sorted(Arena& arena, std::uint32_t index, Batch& batch) {
    batch.end = end_of(index);
    const Bucket bucket = take_bucket(index);
    Event* const first = x_list.first + batch.count;
    Event* next = first;
    empty_bucket(arena, bucket, [&](const Event* events, std::uint32_t count) {
        std::memcpy(next, events, sizeof(Event) * count);
        next += count;
    });
    const Event* sorted = sort_events(first, bucket.count, x_scratch.first, x_words.first);
    if (sorted != first) std::memcpy(first, sorted, sizeof(Event) * bucket.count);
    batch.count += bucket.count;
}

FarEvents::Batch FarEvents::take_batch(Arena& arena) {
    std::uint32_t index = first_bucket();
    while (index >= kDigits && x_buckets[index].count > kBatch) {
        split(arena, index);
        index = first_bucket();
    }
    const std::uint32_t room = std::max(x_buckets[index].count, kBatch);
    KUMI_ASSERT(room < 1U << 31, "too many outstanding events");
    make_room(arena, x_list, room);
    make_room(arena, x_scratch, room);
    make_room(arena, x_words, 2 * room);
    Batch batch{x_list.first, 0, {}};
    append_sorted(arena, index, batch);
    while (x_count > 0) {
        index = first_bucket();
        if (batch.count + x_buckets[index].count > kBatch) break;
        append_sorted(arena, index, batch);
    }
    return batch;
}

/// Nothing is kept of what was in the block.
template <class T>
void FarEvents::make_room(Arena& arena, Block<T>& block, std::uint32_t count) {
    const bool is_kept = block.capacity >= count && block.capacity <= kKeptCapacity;
    if (is_kept) return;
    if (block.capacity != 0) {
        arena.release(block.first, sizeof(T) * std::size_t{block.capacity});
    }
    block.capacity = std::bit_ceil(count);
    block.first = static_cast<T*>(arena.allocate(sizeof(T) * std::size_t{block.capacity}));
}

}  // namespace kumi::engine
