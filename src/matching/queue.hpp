#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

#include "base/check.hpp"
#include "base/memory/prefetch.hpp"
#include "matching/entries.hpp"
#include "matching/live_slots.hpp"
#include "matching/search.hpp"
#include "matching/slot_index.hpp"
#include "matching/steps.hpp"

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
/// The first few entries lie in the queue itself. More of them lie in an array in which removed
/// ones leave gaps, searched in order; where there are many, by an index. Finding and removing
/// takes O(1) then, whatever wildcards there are, unless there are more kinds of them than MPI has.
/// Counting the entries that a list would look at takes O(log n).
template <class Entry, WhenEmpty kWhenEmpty = WhenEmpty::kKeepsRoom, class Steps = UncountedSteps>
class alignas(64) Queue {
   public:
    using Probe = typename Entry::Probe;

    bool empty() const { return x_count == 0; }
    std::uint32_t size() const { return x_count; }

    /// Adds the youngest entry.
    template <class Memory>
    void append(Memory& memory, const Entry& entry) {
        if (!x_is_outside) {
            if (x_count < kInside) {
                x_inside[x_count++] = entry;
                return;
            }
            move_out(memory);
        }
        if (x_end == x_block->room) make_room(memory);
        add(entry);
    }

    /// Finds the oldest entry that accepts `probe` and for which `allows(entry)`, and takes it out
    /// unless `stays(entry)`.
    template <class Memory, class Allows, class Stays>
    Search take(Memory& memory, const Probe& probe, Counting counting, Allows&& allows,
                Stays&& stays) {
        const Place place = locate(memory, probe, allows);
        const Search search = describe(place, counting);
        if (search.found && !stays(at(place.slot))) {
            if (place.is_indexed) x_block->index.remove_found(place.slot);
            erase(memory, place.slot);
        }
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
        const std::uint32_t found = locate(memory, id);
        if (found != kNone) erase(memory, found);
        return found != kNone;
    }
    /// Takes out the oldest entry, which must be there.
    template <class Memory>
    void remove_oldest(Memory& memory) {
        erase(memory, x_is_outside ? x_begin : 0);
    }

    /// Calls `use(entry)` for each entry, oldest first, until it returns false.
    template <class Use>
    void for_each(Use&& use) const {
        visit([&](std::uint32_t, const Entry& entry) { return use(entry); });
    }
    /// The oldest entry; nullptr if there is none.
    const Entry* oldest() const {
        const Entry* first = nullptr;
        visit([&](std::uint32_t, const Entry& entry) {
            first = &entry;
            return false;
        });
        return first;
    }

    /// Takes out everything, and gives back what memory it has taken.
    template <class Memory>
    void clear(Memory& memory) {
        if (x_block != nullptr) give_back(memory);
        x_is_outside = false;
        x_count = 0;
    }

    /// Fetches the queue itself.
    void prefetch() const { prefetch_line(this); }
    /// Fetches the place where the search for an envelope begins, if there is an index.
    void prefetch(const Envelope& envelope) const {
        if (has_index()) x_block->index.prefetch(envelope);
    }
    /// The oldest entry if that is at hand, for fetching what belongs to it; else nullptr.
    const Entry* likely_next() const { return !x_is_outside && x_count > 0 ? x_inside : nullptr; }

   private:
    static constexpr std::uint32_t kNone = ChainTable<Steps>::kNone;
    /// Entries that fit into two cache lines with what else there is.
    static constexpr std::uint32_t kInside = 104 / sizeof(Entry);
    /// One word of bits says which of these slots are live.
    static constexpr std::uint32_t kFirstRoom = 64;
    /// Least number of entries with an index. Searching them in order takes about as long.
    static constexpr std::uint32_t kIndexed = 48;

    /// What lies outside of the queue: which slots are live, then their entries.
    struct Block {
        std::uint32_t room;  ///< Slots; a multiple of 64.
        bool has_index = false;
        bool has_too_many_families = false;
        bool has_sums = false;          ///< See LiveSlots.
        std::uint32_t indexed_end = 0;  ///< Slots before it are in the index, if they are live.
        union {
            SlotIndex<Entry, Steps> index;  ///< Made only when it is needed.
        };

        explicit Block(std::uint32_t slots) : room(slots) { live().clear_all(); }
        LiveSlots<Steps> live() { return {this + 1, room, has_sums}; }
        Entry* entries() {
            return reinterpret_cast<Entry*>(reinterpret_cast<std::byte*>(this + 1) +
                                            LiveSlots<Steps>::bytes(room));
        }
        static std::size_t bytes(std::uint32_t room) {
            return sizeof(Block) + LiveSlots<Steps>::bytes(room) + room * sizeof(Entry);
        }
    };
    struct Place {
        std::uint32_t slot = kNone;
        std::uint32_t id = 0;
        bool is_indexed = false;  ///< The index has found it.
    };

    static bool always(const Entry&) { return true; }
    static bool never(const Entry&) { return false; }

    const Entry& at(std::uint32_t slot) const {
        return x_is_outside ? x_block->entries()[slot] : x_inside[slot];
    }

    template <class Memory>
    static Block* new_block(Memory& memory, std::uint32_t room) {
        return new (memory.allocate(Block::bytes(room))) Block(room);
    }

    bool has_index() const { return x_is_outside && x_block->has_index; }
    bool is_live(std::uint32_t slot) const { return x_block->live().has(slot); }

    /// Calls `use(slot, entry)` for each entry, oldest first, until it returns false.
    template <class Use>
    void visit(Use&& use) const {
        if (!x_is_outside) {
            for (std::uint32_t slot = 0; slot < x_count; ++slot)
                if (!use(slot, x_inside[slot])) return;
            return;
        }
        const Entry* entries = x_block->entries();
        x_block->live().visit(x_begin, x_end,
                              [&](std::uint32_t slot) { return use(slot, entries[slot]); });
    }
    template <class Use>
    void for_each_live(Use&& use) const {
        visit([&](std::uint32_t slot, const Entry&) {
            use(slot);
            return true;
        });
    }

    template <class Memory, class Allows>
    Place locate(Memory& memory, const Probe& probe, Allows& allows) {
        if (x_is_outside) {
            // Where receives and messages have the same order, nothing is ever hashed.
            const Entry* entries = x_block->entries();
            const Entry& oldest = entries[x_begin];
            if (oldest.accepts(probe) && allows(oldest)) return {x_begin, oldest.id, false};
            const auto all = [this](auto&& use) { for_each_live(use); };
            if (make_index_current(memory) && x_block->index.prepare(memory, entries, probe, all)) {
                const std::uint32_t slot = x_block->index.find(
                    entries, probe, [this](std::uint32_t of) { return is_live(of); }, allows);
                return slot == kNone ? Place{} : Place{slot, entries[slot].id, true};
            }
        }
        Place found;
        visit([&](std::uint32_t slot, const Entry& entry) {
            if (!entry.accepts(probe) || !allows(entry)) return true;
            found = {slot, entry.id, false};
            return false;
        });
        return found;
    }

    /// The slot of the entry with this id.
    template <class Memory>
    std::uint32_t locate(Memory& memory, std::uint32_t id) {
        if (x_is_outside && make_index_current(memory))
            return x_block->index.find_id(
                memory, x_block->entries(), id, [this](std::uint32_t of) { return is_live(of); },
                [this](auto&& use) { for_each_live(use); });
        std::uint32_t found = kNone;
        visit([&](std::uint32_t slot, const Entry& entry) {
            if (entry.id == id) found = slot;
            return found == kNone;
        });
        return found;
    }

    Search describe(const Place& place, Counting counting) const {
        const bool found = place.slot != kNone;
        if (counting == Counting::kNo) return {place.id, found, 0};
        if (!found) return {0, false, x_count};
        if (!x_is_outside) return {place.id, true, std::uint64_t{place.slot} + 1};
        return {place.id, true, x_block->live().count(x_begin, place.slot)};
    }

    template <class Memory>
    void erase(Memory& memory, std::uint32_t slot) {
        --x_count;
        if (!x_is_outside) {
            std::copy(x_inside + slot + 1, x_inside + x_count + 1, x_inside + slot);
            return;
        }
        if (x_count == 0) return move_in(memory);
        x_block->live().remove(slot);
        if (slot == x_begin) x_begin = x_block->live().first_from(slot);
    }

    /// From now on entries lie in a block.
    template <class Memory>
    [[gnu::noinline]] void move_out(Memory& memory) {
        if (x_block == nullptr) x_block = new_block(memory, kFirstRoom);
        x_is_outside = true;
        x_begin = x_end = 0;
        const std::uint32_t count = x_count;
        x_count = 0;
        for (std::uint32_t slot = 0; slot < count; ++slot) add(x_inside[slot]);
    }

    /// The block is empty: the next entries lie in the queue itself again.
    template <class Memory>
    [[gnu::noinline]] void move_in(Memory& memory) {
        x_is_outside = false;
        if (kWhenEmpty == WhenEmpty::kGivesBack || x_block->room > kFirstRoom)
            return give_back(memory);
        if (x_block->has_index) x_block->index.release(memory);
        x_block->has_index = x_block->has_too_many_families = false;
        x_block->live().clear_all();
    }

    /// Puts an entry into the next slot, which is there.
    void add(const Entry& entry) {
        const std::uint32_t slot = x_end++;
        x_block->entries()[slot] = entry;
        x_block->live().add(slot);
        ++x_count;
    }

    /// All slots are used: entries move together, or into a larger block.
    template <class Memory>
    [[gnu::noinline]] void make_room(Memory& memory) {
        if (x_count <= x_block->room / 2) return move_together(memory);
        Block* const old = x_block;
        const std::uint32_t room = 2 * old->room;
        KUMI_ASSERT(room > old->room, "a queue has too many entries");
        Block* const block = new_block(memory, room);
        block->has_too_many_families = old->has_too_many_families;
        move_to(block->entries());
        release(memory, old);
        x_block = block;
        for (std::uint32_t slot = 0; slot < x_end; ++slot) block->live().add(slot);
    }
    /// Within the block, whose memory is in the caches, and which no page has to be found for.
    template <class Memory>
    void move_together(Memory& memory) {
        move_to(x_block->entries());
        x_block->live().clear_all();
        for (std::uint32_t slot = 0; slot < x_end; ++slot) x_block->live().add(slot);
        if (!x_block->has_index) return;
        x_block->indexed_end = 0;
        if (x_count >= kIndexed) return x_block->index.clear(memory);
        x_block->index.release(memory);
        x_block->has_index = false;
    }
    /// Moves all entries to `entries`, which may be where they are, without gaps.
    void move_to(Entry* entries) {
        std::uint32_t end = 0;
        visit([&](std::uint32_t, const Entry& entry) {
            entries[end++] = entry;
            return true;
        });
        x_begin = 0;
        x_end = end;
    }

    /// Whether there is an index, which holds all entries then. It is made when it is first needed,
    /// and entries enter it at the first search after them: one that was taken before never does.
    template <class Memory>
    bool make_index_current(Memory& memory) {
        if (!x_block->has_index) {
            if (x_count < kIndexed || x_block->has_too_many_families) return false;
            new (&x_block->index) SlotIndex<Entry, Steps>(x_block->room);
            x_block->has_index = true;
            x_block->indexed_end = x_begin;
        }
        for (std::uint32_t slot = std::max(x_block->indexed_end, x_begin); slot < x_end; ++slot) {
            if (!is_live(slot)) continue;
            if (x_block->index.append(memory, x_block->entries(), slot)) continue;
            drop_index(memory);
            return false;
        }
        x_block->indexed_end = x_end;
        return true;
    }

    /// There are too many kinds of wildcards: from now on entries are searched in order.
    template <class Memory>
    void drop_index(Memory& memory) {
        x_block->index.release(memory);
        x_block->has_index = false;
        x_block->has_too_many_families = true;
    }

    template <class Memory>
    static void release(Memory& memory, Block* block) {
        if (block->has_index) block->index.release(memory);
        memory.release(block, Block::bytes(block->room));
    }

    template <class Memory>
    void give_back(Memory& memory) {
        release(memory, x_block);
        x_block = nullptr;
    }

    Block* x_block = nullptr;  ///< May be there, with room of the first size, while it is not used.
    std::uint32_t x_count = 0;
    // Of the block: all that is live lies in between, and the first of these slots is.
    std::uint32_t x_begin = 0;
    std::uint32_t x_end = 0;
    bool x_is_outside = false;  ///< All entries lie in the block, none in the queue itself.
    Entry x_inside[kInside] = {};
};

using PostedQueue = Queue<PostedEntry>;
using UnexpectedQueue = Queue<UnexpectedEntry>;

}  // namespace kumi::matching
