#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/check.hpp"
#include "matching/age_counts.hpp"
#include "matching/entry_list.hpp"
#include "matching/slot_index.hpp"
#include "matching/steps.hpp"

namespace kumi::matching {

/// Entries of one side of matching, however many there are: found and removed in O(1), whatever
/// wildcards there are, unless there are more kinds of them than MPI has. Counting the entries
/// that a list would look at takes O(log n). Plain data in memory of the caller's.
template <class Entry, class Steps = UncountedSteps>
class LongQueue {
   public:
    using Probe = typename Entry::Probe;
    using List = EntryList<Entry, Steps>;
    static constexpr std::uint32_t kNone = List::kNone;
    static constexpr std::uint32_t kFirstRoom = 16;

    template <class Memory>
    explicit LongQueue(Memory& memory) {
        x_list.create(memory, kFirstRoom);
    }
    template <class Memory>
    void release(Memory& memory) {
        x_list.release(memory);
        x_index.release(memory);
        x_counts.release(memory);
    }
    /// The queue is empty and will be used again.
    template <class Memory>
    void reset(Memory& memory) {
        x_index.reset(memory);
        forget_counts(memory);
        x_has_too_many_families = false;
    }

    std::uint32_t room() const { return x_list.room(); }
    std::uint32_t oldest() const { return x_list.oldest(); }
    const Entry& at(std::uint32_t slot) const { return x_list.at(slot); }

    template <class Memory>
    void append(Memory& memory, const Entry& entry) {
        if (x_list.is_full()) grow(memory);
        if (x_list.next_age() == x_ages) renumber();
        const std::uint32_t slot = x_list.append(entry);
        if (x_first_outside == kNone) x_first_outside = slot;
        if (x_counts.exists()) x_counts.add(x_list.age(slot));
    }

    /// The slot of the oldest entry that accepts `probe` and for which `allows(entry)`.
    template <class Memory, class Allows>
    std::uint32_t find(Memory& memory, const Probe& probe, Allows& allows) {
        // Where receives and messages have the same order, nothing is ever hashed.
        const std::uint32_t oldest = x_list.oldest();
        if (accepts(oldest, probe, allows)) return oldest;
        if (!make_index_current(memory, 1) ||
            !x_index.prepare(memory, x_list, probe, x_first_outside))
            return first_from(oldest,
                              [&](std::uint32_t slot) { return accepts(slot, probe, allows); });
        x_found = x_index.find(x_list, probe, allows);
        if (x_found != kNone || x_first_outside == kNone) return x_found;
        return first_from(x_first_outside,
                          [&](std::uint32_t slot) { return accepts(slot, probe, allows); });
    }
    /// The slot of the entry with this id.
    template <class Memory>
    std::uint32_t find_id(Memory& memory, std::uint32_t id) {
        if (make_index_current(memory, 0)) return x_index.find_id(memory, x_list, id);
        return first_from(x_list.oldest(),
                          [&](std::uint32_t slot) { return x_list.at(slot).id == id; });
    }
    void remove(std::uint32_t slot) {
        if (is_in_index(slot)) {
            if (slot == x_found)
                x_index.remove_found(x_list, slot);
            else
                x_index.remove(x_list, slot);
        }
        x_found = kNone;
        if (slot == x_first_outside) x_first_outside = x_list.next(slot);
        if (x_counts.exists()) x_counts.remove(x_list.age(slot));
        x_list.remove(slot);
    }

    /// Calls `use(entry)` for each entry, oldest first, until it returns false.
    template <class Use>
    void for_each(Use&& use) const {
        first_from(x_list.oldest(), [&](std::uint32_t slot) { return !use(x_list.at(slot)); });
    }
    /// The number of entries up to the one in this slot, of `size` in all.
    template <class Memory>
    std::uint64_t count(Memory& memory, std::uint32_t slot, std::uint32_t size) {
        if (slot == x_list.oldest()) return 1;
        if (size <= kFew) {
            std::uint64_t up_to = 0;
            first_from(x_list.oldest(), [&](std::uint32_t of) { return ++up_to, of == slot; });
            return up_to;
        }
        if (!x_counts.exists()) {
            x_ages = 2 * std::max(x_list.room(), 32U);
            x_counts.create(memory, x_ages);
            renumber();
        }
        return x_counts.count(x_list.age(slot));
    }

    /// Fetches the place where the search for an envelope begins.
    void prefetch(const Envelope& envelope) const { x_index.prefetch(envelope); }

   private:
    /// Counted one by one.
    static constexpr std::uint32_t kFew = 24;

    template <class Allows>
    bool accepts(std::uint32_t slot, const Probe& probe, Allows& allows) const {
        return x_list.at(slot).accepts(probe) && allows(x_list.at(slot));
    }
    template <class IsIt>
    std::uint32_t first_from(std::uint32_t slot, IsIt&& is_it) const {
        for (; slot != kNone && !is_it(slot); slot = x_list.next(slot)) Steps::step();
        return slot;
    }
    bool is_in_index(std::uint32_t slot) const {
        return !x_has_too_many_families &&
               (x_first_outside == kNone || x_list.age(slot) < x_list.age(x_first_outside));
    }

    /// Whether there is an index, which holds all entries then but for the youngest `outside` ones
    /// or fewer. They enter it at searches: one that was taken before never does.
    template <class Memory>
    bool make_index_current(Memory& memory, std::uint32_t outside) {
        if (x_has_too_many_families) return false;
        for (; x_first_outside != kNone; x_first_outside = x_list.next(x_first_outside)) {
            if (x_list.next_age() - x_list.age(x_first_outside) <= outside) break;
            if (!x_index.append(memory, x_list, x_first_outside)) return drop_index(memory);
        }
        return true;
    }

    template <class Memory>
    [[gnu::noinline]] void grow(Memory& memory) {
        const std::uint32_t room = 2 * x_list.room();
        KUMI_ASSERT(room > x_list.room(), "a queue has too many entries");
        x_list.grow(memory, room);
        x_index.grow(memory, room);
        x_found = kNone;
        forget_counts(memory);
    }
    template <class Memory>
    void forget_counts(Memory& memory) {
        x_counts.release(memory);
        x_ages = kMostAges;
    }
    /// All ages are used.
    [[gnu::noinline]] void renumber() {
        x_list.renumber();
        if (!x_counts.exists()) return;
        x_counts.clear();
        for (std::uint32_t age = 0; age < x_list.next_age(); ++age, Steps::step())
            x_counts.add(age);
    }
    /// There are too many kinds of wildcards: from now on entries are searched in order.
    template <class Memory>
    [[gnu::noinline]] bool drop_index(Memory& memory) {
        x_index.release(memory);
        x_has_too_many_families = true;
        return false;
    }

    static constexpr std::uint32_t kMostAges = std::numeric_limits<std::uint32_t>::max();

    List x_list;
    std::uint32_t x_first_outside = kNone;  ///< It, and those after it, are not in the index yet.
    std::uint32_t x_found = kNone;          ///< By the index, in the last search.
    bool x_has_too_many_families = false;
    std::uint32_t x_ages = kMostAges;  ///< Ages are below it.
    SlotIndex<Entry, Steps> x_index;
    AgeCounts<Steps> x_counts;
};

}  // namespace kumi::matching
