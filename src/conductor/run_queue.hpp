#pragma once

#include <cstdint>

#include "base/arena.hpp"
#include "base/time.hpp"

namespace kumi {

/// The ranks that could run, by (clock, rank): a binary heap of plain data.
///
/// The rank number breaks ties, so that which rank runs next never depends on anything but the
/// simulation itself.
class RunQueue {
   public:
    struct Entry {
        Instant clock;
        std::uint32_t rank;
        bool operator<(const Entry& other) const {
            return clock != other.clock ? clock < other.clock : rank < other.rank;
        }
    };

    /// Room for `ranks` entries; a rank is in the queue at most once.
    RunQueue(Arena* arena, std::uint32_t ranks)
        : x_entries(arena->make_array<Entry>(ranks)), x_capacity(ranks) {}

    bool empty() const { return x_size == 0; }
    std::uint32_t size() const { return x_size; }
    const Entry& top() const { return x_entries[0]; }

    void push(Instant clock, std::uint32_t rank) {
        KUMI_ASSERT(x_size < x_capacity, "a rank is in the run queue twice");
        std::uint32_t at = x_size++;
        const Entry entry{clock, rank};
        while (at > 0) {
            const std::uint32_t parent = (at - 1) / 2;
            if (!(entry < x_entries[parent])) break;
            x_entries[at] = x_entries[parent];
            at = parent;
        }
        x_entries[at] = entry;
    }

    Entry pop() {
        const Entry first = x_entries[0];
        const Entry last = x_entries[--x_size];
        std::uint32_t at = 0;
        for (;;) {
            std::uint32_t child = 2 * at + 1;
            if (child >= x_size) break;
            if (child + 1 < x_size && x_entries[child + 1] < x_entries[child]) ++child;
            if (!(x_entries[child] < last)) break;
            x_entries[at] = x_entries[child];
            at = child;
        }
        x_entries[at] = last;
        return first;
    }

   private:
    Entry* x_entries;
    std::uint32_t x_size = 0;
    std::uint32_t x_capacity;
};

}  // namespace kumi
