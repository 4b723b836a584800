#pragma once

#include <algorithm>
#include <cstdint>

#include "base/check.hpp"
#include "matching/entry_list.hpp"
#include "matching/search.hpp"
#include "matching/slot_index.hpp"

namespace kumi::matching {

/// Entries of one side of matching, however many there are: found and removed in O(1), whatever
/// wildcards there are, unless there are more kinds of them than MPI has. Counting the entries
/// that a list would look at takes O(log n). Plain data in memory of the caller's.
template <class Entry, class Steps = UncountedSteps>
class LongQueue {
   public:
    using Probe = typename Entry::Probe;
    using List = EntryList<Entry, Steps>;
    using Found = typename SlotIndex<Entry, Steps>::Found;
    static constexpr std::uint32_t kNone = List::kNone;
    /// As many entries as there are ages at first.
    static constexpr std::uint32_t kFirstRoom = 127;
    /// A slot's number and a bit fit into a word, and twice as many buckets can be counted.
    static constexpr std::uint32_t kMostRoom = std::uint32_t{1} << 29;

    template <class Memory>
    explicit LongQueue(Memory& memory) {
        x_list.create(memory, kFirstRoom);
    }
    template <class Memory>
    void release(Memory& memory) {
        x_list.release(memory);
        x_index.release(memory);
    }

    std::uint32_t oldest() const { return x_list.oldest(); }
    const Entry& at(std::uint32_t slot) const { return x_list.at(slot); }

    template <class Memory>
    void append(Memory& memory, const Entry& entry) {
        if (x_list.is_full()) grow(memory);
        if (x_list.has_full_ring()) x_indexed_end = x_list.close_gaps(memory, x_indexed_end);
        x_list.append(entry);
    }

    /// The oldest entry that accepts `probe` and for which `allows(entry)`.
    template <class Memory, class Allows>
    Found find(Memory& memory, const Probe& probe, Allows& allows) {
        const auto is_it = [&](std::uint32_t slot) {
            return x_list.at(slot).accepts(probe) && allows(x_list.at(slot));
        };
        // Where receives and messages have the same order, nothing is ever hashed.
        const std::uint32_t oldest = x_list.oldest();
        if (is_it(oldest)) return {oldest};
        if (!make_index_current(memory, 1) ||
            !x_index.prepare(memory, x_list, probe, x_indexed_end))
            return {x_list.first_from(0, is_it)};
        const Found found = x_index.find(x_list, probe, allows);
        if (found.slot != kNone || x_indexed_end == x_list.end()) return found;
        const std::uint32_t youngest = x_list.slot_of(x_indexed_end);
        return {youngest != kNone && is_it(youngest) ? youngest : kNone};
    }
    /// The slot of the entry with this id.
    template <class Memory>
    std::uint32_t find_id(Memory& memory, std::uint32_t id) {
        if (make_index_current(memory, 0)) return x_index.find_id(memory, x_list, id);
        return x_list.first_from(0, [&](std::uint32_t slot) { return x_list.at(slot).id == id; });
    }
    /// Takes out an entry, which is not the only one. Nothing has changed since it was found.
    void remove(const Found& found) {
        leave_index(found);
        if (x_list.remove(found.slot)) x_indexed_end = std::min(x_indexed_end, x_list.end());
    }

    /// Calls `use(entry)` for each entry, oldest first, until it returns false.
    template <class Use>
    void for_each(Use&& use) const {
        x_list.first_from(0, [&](std::uint32_t slot) { return !use(x_list.at(slot)); });
    }
    /// The number of entries up to the one in this slot.
    std::uint64_t count(std::uint32_t slot) { return x_list.count(slot); }

    /// Fetches the place where the search for an envelope begins.
    void prefetch(const Envelope& envelope) const { x_index.prefetch(envelope); }

   private:
    void leave_index(const Found& found) {
        if (found.chain != nullptr)
            x_index.remove(x_list, found);
        else if (x_list.age(found.slot) < x_indexed_end && !x_has_too_many_families)
            x_index.remove(x_list, found.slot);
    }

    /// Whether there is an index, which holds all entries then but for the youngest `outside` ones
    /// or fewer. They enter it at searches: one that was taken before never does.
    template <class Memory>
    bool make_index_current(Memory& memory, std::uint32_t outside) {
        if (x_has_too_many_families) return false;
        if (x_indexed_end + outside >= x_list.end()) return true;
        // One alone needs no loop, whose registers would have to be saved.
        if (x_indexed_end + outside + 1 < x_list.end()) [[unlikely]]
            return index_several(memory, x_list.end() - outside);
        return index_next(memory) || drop_index(memory);
    }
    template <class Memory>
    [[gnu::noinline]] bool index_several(Memory& memory, Age end) {
        // Entries that have gone may be older than what the list remembers.
        x_indexed_end = std::max(x_indexed_end, x_list.begin());
        while (x_indexed_end < end)
            if (!index_next(memory)) return drop_index(memory);
        return true;
    }
    /// False if the entry has a kind of wildcard for which the index has no room.
    template <class Memory>
    bool index_next(Memory& memory) {
        const std::uint32_t slot = x_list.slot_of(x_indexed_end++);
        return slot == kNone || x_index.append(memory, x_list, slot);
    }

    template <class Memory>
    [[gnu::noinline]] void grow(Memory& memory) {
        KUMI_ASSERT(x_list.room() < kMostRoom / 2, "a queue has too many entries");
        x_list.grow(memory, 2 * x_list.room() + 1);
        x_index.grow(memory, x_list);
    }
    /// There are too many kinds of wildcards: from now on entries are searched in order.
    template <class Memory>
    [[gnu::noinline]] bool drop_index(Memory& memory) {
        x_index.release(memory);
        x_has_too_many_families = true;
        return false;
    }

    List x_list;
    /// Entries of this age, and younger ones, are not in the index.
    Age x_indexed_end = 0;
    bool x_has_too_many_families = false;
    SlotIndex<Entry, Steps> x_index;
};

}  // namespace kumi::matching
