#pragma once

#include <cstdint>

#include "base/arena.hpp"

namespace kumi {

/// Ranks that could run, warmest first: the one that ran last, of whose memory most is still in the
/// processor's caches. A heap of plain data that knows where each rank is.
class ReadyRanks {
   public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    ReadyRanks(Arena* arena, std::uint32_t ranks)
        : x_entries(arena->make_array<Entry>(ranks)),
          x_places(arena->make_array<std::uint32_t>(ranks)) {}

    bool empty() const { return x_size == 0; }

    /// `ran_last`: when it ran last, by whatever counts up. Not if it is in here already.
    void add(std::uint32_t rank, std::uint64_t ran_last) { rise(x_size++, {ran_last, rank}); }
    /// The warmest, which is taken out; kNone if there is none.
    std::uint32_t take() {
        if (empty()) return kNone;
        const std::uint32_t rank = x_entries[0].rank;
        remove(rank);
        return rank;
    }
    /// It must be in here.
    void remove(std::uint32_t rank) {
        const std::uint32_t place = x_places[rank];
        const Entry last = x_entries[--x_size];
        if (place == x_size) return;
        if (place > 0 && x_entries[(place - 1) / 2] < last)
            rise(place, last);
        else
            sink(place, last);
    }

   private:
    struct Entry {
        std::uint64_t ran_last = 0;
        std::uint32_t rank = 0;
        bool operator<(const Entry& other) const {
            return ran_last != other.ran_last ? ran_last < other.ran_last : rank < other.rank;
        }
    };

    void put(std::uint32_t place, const Entry& entry) {
        x_entries[place] = entry;
        x_places[entry.rank] = place;
    }
    void rise(std::uint32_t place, const Entry& entry) {
        while (place > 0 && x_entries[(place - 1) / 2] < entry) {
            put(place, x_entries[(place - 1) / 2]);
            place = (place - 1) / 2;
        }
        put(place, entry);
    }
    void sink(std::uint32_t place, const Entry& entry) {
        for (;;) {
            std::uint32_t child = 2 * place + 1;
            if (child >= x_size) break;
            if (child + 1 < x_size && x_entries[child] < x_entries[child + 1]) ++child;
            if (!(entry < x_entries[child])) break;
            put(place, x_entries[child]);
            place = child;
        }
        put(place, entry);
    }

    Entry* x_entries;
    std::uint32_t* x_places;
    std::uint32_t x_size = 0;
};

}  // namespace kumi
