#include "engine/far_events.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/event_sort.hpp"

namespace kumi {
namespace {

constexpr std::uint32_t kFirstCapacity = 64;
/// Sorting so many is as fast as distributing them again.
constexpr std::uint32_t kBatch = 512;
/// Larger blocks are given back when a bucket is emptied: another will need the room.
constexpr std::uint32_t kKeptCapacity = 1U << 14;

}  // namespace

void FarEvents::grow(Arena& arena, Bucket& bucket) {
    KUMI_ASSERT(bucket.capacity < (1U << 31), "too many outstanding events");
    const std::uint32_t wanted = bucket.capacity == 0 ? kFirstCapacity : 2 * bucket.capacity;
    auto* events = static_cast<Event*>(arena.allocate(sizeof(Event) * std::size_t{wanted}));
    if (bucket.capacity != 0) {
        std::memcpy(events, bucket.events, sizeof(Event) * bucket.count);
        arena.release(bucket.events, sizeof(Event) * std::size_t{bucket.capacity});
    }
    bucket.events = events;
    bucket.capacity = wanted;
}

Instant FarEvents::end_of(std::uint32_t index) const {
    if (index == 0) return Instant{x_base + 1};
    const auto last = static_cast<std::uint64_t>(x_base) | ((std::uint64_t{1} << index) - 1);
    return last >= static_cast<std::uint64_t>(kNever.ps)
               ? kNever
               : Instant{static_cast<std::int64_t>(last) + 1};
}

/// Distributes a bucket over those below it, by its earliest time.
void FarEvents::split(Arena& arena, std::uint32_t index) {
    const Bucket whole = std::exchange(x_buckets[index], {});
    x_used &= ~(std::uint64_t{1} << index);
    x_count -= whole.count;
    std::int64_t earliest = whole.events[0].key.time.ps;
    for (std::uint32_t i = 1; i < whole.count; ++i) {
        earliest = std::min(earliest, whole.events[i].key.time.ps);
    }
    x_base = earliest;
    for (std::uint32_t i = 0; i < whole.count; ++i) push(arena, whole.events[i]);
    // Nothing came back: the base is one of the bucket's own now.
    if (whole.capacity > kKeptCapacity) {
        arena.release(whole.events, sizeof(Event) * std::size_t{whole.capacity});
    } else {
        x_buckets[index] = {whole.events, 0, whole.capacity};
    }
}

FarEvents::Batch FarEvents::take_batch(Arena& arena) {
    auto index = static_cast<std::uint32_t>(std::countr_zero(x_used));
    while (index > 0 && x_buckets[index].count > kBatch) {
        split(arena, index);
        index = static_cast<std::uint32_t>(std::countr_zero(x_used));
    }
    forget_large(arena, x_taken);
    std::swap(x_taken, x_buckets[index]);
    x_buckets[index].count = 0;
    x_used &= ~(std::uint64_t{1} << index);
    x_count -= x_taken.count;
    forget_large(arena, x_scratch);
    while (x_scratch.capacity < x_taken.count) grow(arena, x_scratch);
    if (sort_events(x_taken.events, x_taken.count, x_scratch.events) == x_scratch.events) {
        std::swap(x_taken.events, x_scratch.events);
        std::swap(x_taken.capacity, x_scratch.capacity);
    }
    return {x_taken.events, x_taken.count, end_of(index)};
}

void FarEvents::forget_large(Arena& arena, Bucket& bucket) {
    if (bucket.capacity <= kKeptCapacity) return;
    arena.release(bucket.events, sizeof(Event) * std::size_t{bucket.capacity});
    bucket = {};
}

}  // namespace kumi
