#pragma once

#include <cstdint>
#include <span>

#include "base/memory/arena.hpp"

namespace kumi::conductor {

/// Ranks in the order of what an `Entry` says besides its `rank`: those that are less come first.
/// A binary heap of plain data that knows where each rank is.
template <class EntryType>
class RankHeap {
   public:
    using Entry = EntryType;

    /// Room for `ranks` entries; a rank is in here at most once.
    RankHeap(Arena* arena, std::uint32_t ranks)
        : x_entries(arena->make_array<Entry>(ranks)),
          x_places(arena->make_array<std::uint32_t>(ranks)),
          x_capacity(ranks) {}

    bool empty() const { return x_size == 0; }
    std::uint32_t size() const { return x_size; }
    /// Not if it is empty.
    const Entry& top() const { return x_entries[0]; }

    void push(const Entry& entry) {
        KUMI_ASSERT(x_size < x_capacity && !contains(entry.rank),
                    "a rank waits in one queue twice");
        rise(x_size++, entry);
    }
    /// Takes out the first. Not if it is empty.
    Entry pop() {
        const Entry first = x_entries[0];
        --x_size;
        sink(0, x_entries[x_size]);
        return first;
    }
    /// Takes out the first whose rank `is_preferred`, or the first of all if none is. O(size) if
    /// those differ.
    template <class Preferred>
    Entry pop_preferred(Preferred&& is_preferred) {
        if (is_preferred(top().rank)) return pop();
        const Entry* best = nullptr;
        for (const Entry& entry : std::span(x_entries, x_size)) {
            if (is_preferred(entry.rank) && (best == nullptr || entry < *best)) best = &entry;
        }
        if (best == nullptr) return pop();
        const Entry found = *best;
        remove(found.rank);
        return found;
    }
    bool contains(std::uint32_t rank) const {
        const std::uint32_t place = x_places[rank];
        return place < x_size && x_entries[place].rank == rank;
    }
    void remove(std::uint32_t rank) {
        KUMI_ASSERT(contains(rank), "a rank leaves no queue");
        const std::uint32_t place = x_places[rank];
        const Entry last = x_entries[--x_size];
        if (place == x_size) return;
        if (place > 0 && last < x_entries[parent(place)])
            rise(place, last);
        else
            sink(place, last);
    }

   private:
    static std::uint32_t parent(std::uint32_t place) { return (place - 1) / 2; }
    void put(std::uint32_t place, const Entry& entry) {
        x_entries[place] = entry;
        x_places[entry.rank] = place;
    }
    /// Finds the place of `entry`, from `place` on.
    void rise(std::uint32_t place, const Entry entry) {
        while (place > 0 && entry < x_entries[parent(place)]) {
            put(place, x_entries[parent(place)]);
            place = parent(place);
        }
        put(place, entry);
    }
    void sink(std::uint32_t place, const Entry entry) {
        for (;;) {
            std::uint32_t child = 2 * place + 1;
            if (child >= x_size) break;
            if (child + 1 < x_size && x_entries[child + 1] < x_entries[child]) ++child;
            if (!(x_entries[child] < entry)) break;
            put(place, x_entries[child]);
            place = child;
        }
        put(place, entry);
    }

    Entry* x_entries;
    std::uint32_t* x_places;
    std::uint32_t x_size = 0;
    std::uint32_t x_capacity;
};

}  // namespace kumi::conductor
