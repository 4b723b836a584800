#pragma once

#include <algorithm>
#include <cstdint>
#include <new>

#include "base/memory/prefetch.hpp"
#include "matching/envelope.hpp"
#include "matching/long_queue.hpp"
#include "matching/search.hpp"

namespace kumi::matching {

/// What becomes of a queue's room outside of itself when the last entry has gone. Of a queue that
/// was long, and when it is cleared, it is always given back.
enum class WhenEmpty : std::uint8_t {
    kKeepsRoom,  ///< Exchanges are mostly as long as those before.
    kGivesBack,  ///< For very many queues over one memory, of which few are long at a time.
};

/// One side of matching: entries in the order in which they came, oldest first, of which the oldest
/// that accepts a probe is found, as MPI's rules of matching want it.
///
/// Plain data: it may lie in a segment, with all that it refers to. Memory is the caller's, an
/// Arena or anything with its `allocate` and `release`, always the same.
///
/// The first few entries lie in the queue itself, and are searched one by one. When there are more,
/// all of them lie in a LongQueue, until it is empty.
template <class Entry, WhenEmpty kWhenEmpty = WhenEmpty::kKeepsRoom, class Steps = UncountedSteps>
class alignas(64) Queue {
   public:
    using Probe = typename Entry::Probe;

    bool empty() const { return x_count == 0; }
    std::uint32_t size() const { return x_count; }

    /// Adds the youngest entry.
    template <class Memory>
    void append(Memory& memory, const Entry& entry) {
        if (!x_is_outside) [[likely]] {
            if (x_count < kInside) [[likely]] {
                x_inside[x_count++] = entry;
                return;
            }
            move_out(memory);
        }
        x_outside->append(memory, entry);
        ++x_count;
    }

    /// Finds the oldest entry that accepts `probe` and for which `allows(entry)`, and takes it out
    /// unless `stays(entry)`.
    template <class Memory, class Allows, class Stays>
    Search take(Memory& memory, const Probe& probe, Counting counting, Allows&& allows,
                Stays&& stays) {
        const std::uint32_t slot = locate(memory, probe, allows);
        const Search search = describe(slot, counting);
        if (slot != kNone && !stays(at(slot))) erase(memory, slot);
        return search;
    }
    template <class Memory>
    Search take(Memory& memory, const Probe& probe, Counting counting) {
        return take(memory, probe, counting, always, never);
    }

    /// The same, but the entry stays.
    template <class Memory, class Allows>
    Search find(Memory& memory, const Probe& probe, Counting counting, Allows&& allows) {
        return describe(locate(memory, probe, allows), counting);
    }
    template <class Memory>
    Search find(Memory& memory, const Probe& probe, Counting counting) {
        return find(memory, probe, counting, always);
    }

    /// Takes out the entry with this id, which no other has; false if there is none.
    template <class Memory>
    bool remove(Memory& memory, std::uint32_t id) {
        const std::uint32_t slot =
            x_is_outside ? x_outside->find_id(memory, id)
                         : first_inside([id](const Entry& entry) { return entry.id == id; });
        if (slot != kNone) erase(memory, slot);
        return slot != kNone;
    }
    /// Takes out the oldest entry, which must be there.
    template <class Memory>
    void remove_oldest(Memory& memory) {
        erase(memory, x_is_outside ? x_outside->oldest() : 1);
    }

    /// Calls `use(entry)` for each entry, oldest first, until it returns false.
    template <class Use>
    void for_each(Use&& use) const {
        if (x_is_outside)
            x_outside->for_each(use);
        else
            first_inside([&use](const Entry& entry) { return !use(entry); });
    }
    /// The oldest entry; nullptr if there is none.
    const Entry* oldest() const {
        if (x_count == 0) return nullptr;
        return &at(x_is_outside ? x_outside->oldest() : 1);
    }

    /// Takes out everything, and gives back what memory it has taken.
    template <class Memory>
    void clear(Memory& memory) {
        if (x_outside != nullptr) give_back(memory);
        x_is_outside = false;
        x_count = 0;
    }

    /// Fetches the queue itself.
    void prefetch() const { prefetch_line(this); }
    /// Fetches the place where the search for an envelope begins, if that is not in the queue
    /// itself.
    void prefetch(const Envelope& envelope) const {
        if (x_is_outside) x_outside->prefetch(envelope);
    }
    /// The oldest entry if that is at hand, for fetching what belongs to it; else nullptr.
    const Entry* likely_next() const { return !x_is_outside && x_count > 0 ? x_inside : nullptr; }

   private:
    using Outside = LongQueue<Entry, Steps>;
    /// Slots of the queue itself have numbers from 1 on, too.
    static constexpr std::uint32_t kNone = Outside::kNone;
    /// Entries that fit into two cache lines with what else there is.
    static constexpr std::uint32_t kInside = 104 / sizeof(Entry);

    static constexpr auto always = [](const Entry&) { return true; };
    static constexpr auto never = [](const Entry&) { return false; };

    const Entry& at(std::uint32_t slot) const {
        if (x_is_outside) [[unlikely]]
            return x_outside->at(slot);
        return x_inside[slot - 1];
    }
    template <class IsIt>
    std::uint32_t first_inside(IsIt&& is_it) const {
        for (std::uint32_t slot = 1; slot <= x_count; ++slot)
            if (is_it(x_inside[slot - 1])) return slot;
        return kNone;
    }

    template <class Memory, class Allows>
    std::uint32_t locate(Memory& memory, const Probe& probe, Allows& allows) {
        if (x_is_outside) [[unlikely]]
            return x_outside->find(memory, probe, allows);
        return first_inside(
            [&](const Entry& entry) { return entry.accepts(probe) && allows(entry); });
    }
    Search describe(std::uint32_t slot, Counting counting) {
        const bool is_counted = counting == Counting::kYes;
        if (slot == kNone) return {0, false, is_counted ? x_count : 0};
        if (!is_counted) return {at(slot).id, true, 0};
        return {at(slot).id, true, x_is_outside ? x_outside->count(slot) : std::uint64_t{slot}};
    }

    template <class Memory>
    void erase(Memory& memory, std::uint32_t slot) {
        --x_count;
        if (!x_is_outside) [[likely]] {
            std::copy(x_inside + slot, x_inside + x_count + 1, x_inside + slot - 1);
            return;
        }
        if (x_count == 0) return move_in(memory, slot);
        x_outside->remove(slot);
    }

    /// From now on entries lie outside.
    template <class Memory>
    [[gnu::noinline]] void move_out(Memory& memory) {
        if (x_outside == nullptr)
            x_outside = new (memory.allocate(sizeof(Outside))) Outside(memory);
        x_is_outside = true;
        for (std::uint32_t slot = 1; slot <= x_count; ++slot)
            x_outside->append(memory, x_inside[slot - 1]);
    }
    /// Takes out the last entry outside: the next ones lie in the queue itself again.
    template <class Memory>
    [[gnu::noinline]] void move_in(Memory& memory, std::uint32_t slot) {
        x_is_outside = false;
        if (kWhenEmpty == WhenEmpty::kGivesBack || x_outside->room() > Outside::kMostKept)
            return give_back(memory);
        x_outside->remove_last(memory, slot);
    }
    template <class Memory>
    void give_back(Memory& memory) {
        x_outside->release(memory);
        memory.release(x_outside, sizeof(Outside));
        x_outside = nullptr;
    }

    Outside* x_outside = nullptr;  ///< May be there, with little room, while it is not used.
    std::uint32_t x_count = 0;
    bool x_is_outside = false;  ///< All entries lie outside, none in the queue itself.
    Entry x_inside[kInside] = {};
};

using PostedQueue = Queue<PostedEntry>;
using UnexpectedQueue = Queue<UnexpectedEntry>;

}  // namespace kumi::matching
