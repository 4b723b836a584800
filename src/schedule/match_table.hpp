#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/large_memory.hpp"
#include "base/prefetch.hpp"

namespace kumi {

/// What receives and messages are matched by.
struct MatchKey {
    std::uint32_t target = 0;
    std::uint32_t source = 0;
    std::uint32_t tag = 0;
    bool operator==(const MatchKey&) const = default;
};

/// A queue of numbers for each key, of which only those that are not empty take room: open
/// addressing, O(1) however many keys there are. A queue's numbers are chained by `next`, which
/// belongs to the caller.
class MatchTable {
   public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    MatchTable() : x_entries(kSmallest) {}

    /// The first number of a key's queue; kNone if it is empty.
    std::uint32_t first(const MatchKey& key) const { return x_entries[find(key)].first; }

    /// `chain(last, number)` must put `number` behind `last`.
    template <class Chain>
    void append(const MatchKey& key, std::uint32_t number, Chain&& chain) {
        if ((x_used + 1) * 2 > x_entries.size()) grow();
        Entry& entry = x_entries[find(key)];
        if (entry.first == kNone) {
            entry = {key, number, number};
            ++x_used;
            return;
        }
        chain(entry.last, number);
        entry.last = number;
    }

    /// Takes the first number of a key's queue out; kNone if it is empty. `next(number)` must be
    /// the one behind it, if there is one.
    template <class Next>
    std::uint32_t take_first(const MatchKey& key, Next&& next) {
        const std::size_t place = find(key);
        Entry& entry = x_entries[place];
        const std::uint32_t number = entry.first;
        if (number == kNone) return kNone;
        if (number != entry.last) {
            entry.first = next(number);
        } else {
            erase(place);
        }
        return number;
    }

    void prefetch(const MatchKey& key) const { prefetch_line(&x_entries[home(key)]); }

   private:
    struct Entry {
        MatchKey key;
        std::uint32_t first = kNone;
        std::uint32_t last = kNone;
    };
    static constexpr std::size_t kSmallest = 64;

    std::size_t mask() const { return x_entries.size() - 1; }

    std::size_t home(const MatchKey& key) const {
        const std::uint64_t pair = std::uint64_t{key.target} << 32 | key.source;
        std::uint64_t mixed = pair * 0x9e3779b97f4a7c15ULL + key.tag * 0xbf58476d1ce4e5b9ULL;
        mixed = (mixed ^ (mixed >> 32)) * 0x94d049bb133111ebULL;
        return (mixed ^ (mixed >> 29)) & mask();
    }

    /// Where the key is, or where it would be put.
    std::size_t find(const MatchKey& key) const {
        std::size_t place = home(key);
        while (x_entries[place].first != kNone && x_entries[place].key != key) {
            place = (place + 1) & mask();
        }
        return place;
    }

    /// Moves up what stands behind the gap, unless it is between its home and the gap.
    void erase(std::size_t gap) {
        for (std::size_t place = (gap + 1) & mask(); x_entries[place].first != kNone;
             place = (place + 1) & mask()) {
            const std::size_t from_home = (place - home(x_entries[place].key)) & mask();
            if (from_home < ((place - gap) & mask())) continue;
            x_entries[gap] = x_entries[place];
            gap = place;
        }
        x_entries[gap] = {};
        --x_used;
    }

    void grow() {
        LargeVector<Entry> old(x_entries.size() * 2);
        old.swap(x_entries);
        for (const Entry& entry : old) {
            if (entry.first != kNone) x_entries[find(entry.key)] = entry;
        }
    }

    LargeVector<Entry> x_entries;
    std::size_t x_used = 0;
};

}  // namespace kumi
