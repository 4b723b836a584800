#pragma once

#include <algorithm>
#include <cstdint>
#include <new>

#include "base/memory/prefetch.hpp"
#include "matching/envelope.hpp"
#include "matching/long_queue.hpp"
#include "matching/search.hpp"
#include "matching/short_queue.hpp"

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
/// all of them lie in a ShortQueue, and when that has too many in a LongQueue, until it is empty.
template <class Entry, WhenEmpty kWhenEmpty = WhenEmpty::kKeepsRoom, class Steps = UncountedSteps>
class alignas(64) Queue {
   public:
    using Probe = typename Entry::Probe;

    bool empty() const { return x_count == 0; }
    std::uint32_t size() const { return x_count; }

    /// Adds the youngest entry.
    template <class Memory>
    void append(Memory& memory, const Entry& entry) {
        if (x_where == Where::kInside) [[likely]] {
            if (x_count < kInside) [[likely]] {
                x_inside[x_count++] = entry;
                return;
            }
            move_to_short(memory);
        }
        ++x_count;
        if (x_where == Where::kShort) {
            if (x_short->append(entry)) return;
            move_to_long(memory);
        }
        x_long->append(memory, entry);
    }

    /// Finds the oldest entry that accepts `probe` and for which `allows(entry)`, and takes it out
    /// unless `stays(entry)`.
    template <class Memory, class Allows, class Stays>
    Search take(Memory& memory, const Probe& probe, Counting counting, Allows&& allows,
                Stays&& stays) {
        if (x_where == Where::kInside) {
            const std::uint32_t slot = find_inside(probe, allows);
            const Search search = describe(slot, counting);
            if (slot != kNone && !stays(x_inside[slot - 1])) erase(memory, slot);
            return search;
        }
        if (x_where == Where::kShort) {
            const std::uint32_t slot = x_short->find(probe, allows);
            return take_from(*x_short, slot, slot, memory, counting, stays);
        }
        const auto found = x_long->find(memory, probe, allows);
        return take_from(*x_long, found.slot, found, memory, counting, stays);
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
            x_where == Where::kInside
                ? first_inside([id](const Entry& entry) { return entry.id == id; })
            : x_where == Where::kShort ? x_short->find_id(id)
                                       : x_long->find_id(memory, id);
        if (slot != kNone) erase(memory, slot);
        return slot != kNone;
    }
    /// Takes out the oldest entry, which must be there.
    template <class Memory>
    void remove_oldest(Memory& memory) {
        erase(memory, oldest_slot());
    }

    /// Calls `use(entry)` for each entry, oldest first, until it returns false.
    template <class Use>
    void for_each(Use&& use) const {
        if (x_where == Where::kLong)
            x_long->for_each(use);
        else if (x_where == Where::kShort)
            x_short->for_each(use);
        else
            first_inside([&use](const Entry& entry) { return !use(entry); });
    }
    /// The oldest entry; nullptr if there is none.
    const Entry* oldest() const { return x_count == 0 ? nullptr : &at(oldest_slot()); }

    /// Takes out everything, and gives back what memory it has taken.
    template <class Memory>
    void clear(Memory& memory) {
        if (x_short != nullptr) give_back_short(memory);
        if (x_long != nullptr) give_back_long(memory);
        x_where = Where::kInside;
        x_count = 0;
    }

    /// Fetches the queue itself.
    void prefetch() const { prefetch_line(this); }
    /// Fetches the place where the search for an envelope begins, if that is not in the queue
    /// itself.
    void prefetch(const Envelope& envelope) const {
        if (x_where == Where::kLong)
            x_long->prefetch(envelope);
        else if (x_where == Where::kShort)
            x_short->prefetch();
    }
    /// The oldest entry if that is at hand, for fetching what belongs to it; else nullptr.
    const Entry* likely_next() const {
        return x_where == Where::kInside && x_count > 0 ? x_inside : nullptr;
    }

   private:
    using Short = ShortQueue<Entry>;
    using Long = LongQueue<Entry, Steps>;
    /// Slots of the queue itself have numbers from 1 on, too.
    static constexpr std::uint32_t kNone = Long::kNone;
    static_assert(kNone == Short::kNone);
    /// Entries that fit into two cache lines with what else there is.
    static constexpr std::uint32_t kInside = 104 / sizeof(Entry);

    /// Where all entries lie.
    enum class Where : std::uint8_t { kInside, kShort, kLong };

    static constexpr auto always = [](const Entry&) { return true; };
    static constexpr auto never = [](const Entry&) { return false; };

    const Entry& at(std::uint32_t slot) const {
        if (x_where == Where::kInside) [[likely]]
            return x_inside[slot - 1];
        return x_where == Where::kShort ? x_short->at(slot) : x_long->at(slot);
    }
    std::uint32_t oldest_slot() const {
        if (x_where == Where::kInside) return 1;
        return x_where == Where::kShort ? x_short->oldest() : x_long->oldest();
    }
    template <class IsIt>
    std::uint32_t first_inside(IsIt&& is_it) const {
        for (std::uint32_t slot = 1; slot <= x_count; ++slot)
            if (is_it(x_inside[slot - 1])) return slot;
        return kNone;
    }

    template <class Allows>
    std::uint32_t find_inside(const Probe& probe, Allows& allows) const {
        return first_inside(
            [&](const Entry& entry) { return entry.accepts(probe) && allows(entry); });
    }
    template <class Memory, class Allows>
    std::uint32_t locate(Memory& memory, const Probe& probe, Allows& allows) {
        if (x_where == Where::kInside) [[likely]]
            return find_inside(probe, allows);
        return x_where == Where::kShort ? x_short->find(probe, allows)
                                        : x_long->find(memory, probe, allows).slot;
    }
    Search missed(Counting counting) const {
        return {0, false, counting == Counting::kYes ? x_count : 0};
    }
    Search describe(std::uint32_t slot, Counting counting) {
        if (slot == kNone) return missed(counting);
        if (x_where == Where::kShort) return describe(*x_short, slot, counting);
        if (x_where == Where::kLong) return describe(*x_long, slot, counting);
        return {x_inside[slot - 1].id, true, counting == Counting::kYes ? slot : 0};
    }
    template <class Part>
    static Search describe(Part& part, std::uint32_t slot, Counting counting) {
        return {part.at(slot).id, true, counting == Counting::kYes ? part.count(slot) : 0};
    }

    /// `take` of what was found in a queue outside, which removes it by `found`.
    template <class Part, class Found, class Memory, class Stays>
    Search take_from(Part& part, std::uint32_t slot, const Found& found, Memory& memory,
                     Counting counting, Stays& stays) {
        if (slot == kNone) return missed(counting);
        const Search search = describe(part, slot, counting);
        if (stays(part.at(slot))) return search;
        if (--x_count == 0) [[unlikely]]
            move_in(memory);
        else
            part.remove(found);
        return search;
    }
    template <class Memory>
    void erase(Memory& memory, std::uint32_t slot) {
        --x_count;
        if (x_where == Where::kInside) [[likely]] {
            std::copy(x_inside + slot, x_inside + x_count + 1, x_inside + slot - 1);
        } else if (x_count == 0) {
            move_in(memory);
        } else if (x_where == Where::kShort) {
            x_short->remove(slot);
        } else {
            x_long->remove({slot});
        }
    }

    template <class Memory>
    [[gnu::noinline]] void move_to_short(Memory& memory) {
        if (x_short == nullptr) x_short = new (memory.allocate(sizeof(Short))) Short;
        x_where = Where::kShort;
        for (std::uint32_t slot = 1; slot <= x_count; ++slot) x_short->append(x_inside[slot - 1]);
    }
    template <class Memory>
    [[gnu::noinline]] void move_to_long(Memory& memory) {
        x_long = new (memory.allocate(sizeof(Long))) Long(memory);
        x_where = Where::kLong;
        x_short->for_each([&](const Entry& entry) {
            x_long->append(memory, entry);
            return true;
        });
        give_back_short(memory);
    }
    /// All entries have been taken out: the next ones lie in the queue itself again.
    template <class Memory>
    [[gnu::noinline]] void move_in(Memory& memory) {
        if (x_where == Where::kLong)
            give_back_long(memory);
        else if (kWhenEmpty == WhenEmpty::kGivesBack)
            give_back_short(memory);
        else
            x_short->clear();
        x_where = Where::kInside;
    }
    template <class Memory>
    void give_back_short(Memory& memory) {
        memory.release(x_short, sizeof(Short));
        x_short = nullptr;
    }
    template <class Memory>
    void give_back_long(Memory& memory) {
        x_long->release(memory);
        memory.release(x_long, sizeof(Long));
        x_long = nullptr;
    }

    Short* x_short = nullptr;  ///< May be there, empty, while it is not used.
    Long* x_long = nullptr;    ///< Only while it is used.
    std::uint32_t x_count = 0;
    Where x_where = Where::kInside;
    Entry x_inside[kInside] = {};
};

using PostedQueue = Queue<PostedEntry>;
using UnexpectedQueue = Queue<UnexpectedEntry>;

}  // namespace kumi::matching
