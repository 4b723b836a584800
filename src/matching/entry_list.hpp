#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/memory/prefetch.hpp"
#include "matching/search.hpp"

namespace kumi::matching {

/// Which ages the entries of a list have: a bit for each, and sums of bits by which those before a
/// given one are counted in O(log n). A view of memory that belongs to the list.
///
/// The sums (a Fenwick tree over words) are kept only from the first count on that needs them:
/// most runs count nothing.
template <class Steps = UncountedSteps>
class LiveAges {
   public:
    /// `room` is a multiple of 64. `has_sums` says whether the sums are kept.
    LiveAges(void* memory, std::uint32_t room, bool& has_sums)
        : x_words(static_cast<std::uint64_t*>(memory)),
          x_sums(reinterpret_cast<std::uint32_t*>(x_words + room / 64)),
          x_room_words(room / 64),
          x_has_sums(has_sums) {}
    /// Of that memory: a multiple of 8.
    static constexpr std::size_t bytes(std::uint32_t room) {
        const std::size_t words = room / 64;
        return words * sizeof(std::uint64_t) + (words + words % 2) * sizeof(std::uint32_t);
    }

    /// Only the first `count` ages are live, which are not all.
    void reset(std::uint32_t count) {
        const std::uint32_t words = count / 64;
        std::fill_n(x_words, words, ~std::uint64_t{0});
        std::fill(x_words + words, x_words + x_room_words, 0);
        x_words[words] = bit(count) - 1;
        x_has_sums = false;
    }
    void add(std::uint32_t age) {
        x_words[age / 64] |= bit(age);
        if (x_has_sums) change_sums(age / 64, 1);
    }
    void remove(std::uint32_t age) {
        x_words[age / 64] &= ~bit(age);
        if (x_has_sums) change_sums(age / 64, ~std::uint32_t{0});
    }
    /// The first live age that is not before `age`; there must be one.
    std::uint32_t first_from(std::uint32_t age) const {
        std::uint32_t word = age / 64;
        for (; x_words[word] == 0; ++word) Steps::step();
        return word * 64 + static_cast<std::uint32_t>(std::countr_zero(x_words[word]));
    }
    /// Calls `use(age)` for each live age from `begin` on, up to `end`, until it returns false.
    template <class Use>
    void visit(std::uint32_t begin, std::uint32_t end, Use&& use) const {
        std::uint64_t from = ~std::uint64_t{0} << (begin % 64);
        for (std::uint32_t word = begin / 64; word * 64 < end; ++word, from = ~std::uint64_t{0}) {
            Steps::step();
            for (std::uint64_t live = x_words[word] & from; live != 0; live &= live - 1) {
                Steps::step();
                if (!use(word * 64 + static_cast<std::uint32_t>(std::countr_zero(live)))) return;
            }
        }
    }
    /// The number of live ages up to this one, before `begin` none.
    std::uint64_t count(std::uint32_t begin, std::uint32_t age) {
        const std::uint64_t up_to = ~std::uint64_t{0} >> (63 - age % 64);
        return count_before(begin / 64, age / 64) + ones(x_words[age / 64] & up_to);
    }

   private:
    /// The words of two cache lines: adding them up is quicker than looking up sums.
    static constexpr std::uint32_t kFewWords = 16;

    static std::uint64_t bit(std::uint32_t age) { return std::uint64_t{1} << (age % 64); }
    static std::uint32_t ones(std::uint64_t word) {
        return static_cast<std::uint32_t>(std::popcount(word));
    }

    std::uint64_t count_before(std::uint32_t begin, std::uint32_t end) {
        std::uint64_t before = 0;
        if (end - begin <= kFewWords) {
            for (std::uint32_t word = begin; word < end; ++word, Steps::step())
                before += ones(x_words[word]);
            return before;
        }
        if (!x_has_sums) make_sums();
        for (std::uint32_t at = end; at > 0; at &= at - 1, Steps::step()) before += x_sums[at - 1];
        return before;
    }
    // The sum numbered n, from 1 on, is of as many words up to the n-th as n's lowest bit says.
    void make_sums() {
        for (std::uint32_t at = 1; at <= x_room_words; ++at, Steps::step())
            x_sums[at - 1] = ones(x_words[at - 1]);
        for (std::uint32_t at = 1; at <= x_room_words; ++at, Steps::step()) {
            const std::uint32_t next = at + (at & -at);
            if (next <= x_room_words) x_sums[next - 1] += x_sums[at - 1];
        }
        x_has_sums = true;
    }
    void change_sums(std::uint32_t word, std::uint32_t by) {
        for (std::uint32_t at = word + 1; at <= x_room_words; at += at & -at, Steps::step())
            x_sums[at - 1] += by;
    }

    std::uint64_t* x_words;
    std::uint32_t* x_sums;
    std::uint32_t x_room_words;
    bool& x_has_sums;
};

/// Entries in the order in which they came. Each lies in a slot, where it stays; the slot that was
/// freed last is used first, while it is in a cache. Slots have numbers from 1 on, and 0 is none.
///
/// Each entry has an age: the smaller, the older. Ages are below a limit and begin anew, without
/// gaps, when it is reached. What is read or written of other entries when one is removed are bits
/// next to each other: those of entries in no cache would take longer than all the rest. Plain data
/// in memory of the caller's.
template <class Entry, class Steps = UncountedSteps>
class EntryList {
   public:
    static constexpr std::uint32_t kNone = 0;
    static_assert(std::is_trivially_copyable_v<Entry>);

    /// Rooms are powers of two less one: that of slot 0 is never used.
    template <class Memory>
    void create(Memory& memory, std::uint32_t room) {
        create_cells(memory, room);
        create_ages(memory, kFirstAges);
        live().reset(0);
    }
    template <class Memory>
    void release(Memory& memory) {
        memory.release(x_cells, cells_bytes(x_room));
        memory.release(x_live, ages_bytes(x_ages));
    }
    /// Entries keep their slots.
    template <class Memory>
    void grow(Memory& memory, std::uint32_t room) {
        const EntryList old = *this;
        create_cells(memory, room);
        std::copy_n(old.x_cells, x_used + 1, x_cells);
        memory.release(old.x_cells, cells_bytes(old.x_room));
    }

    std::uint32_t room() const { return x_room; }
    bool is_full() const { return x_free == kNone && x_used == x_room; }
    bool has_all_ages() const { return x_end == x_ages; }

    const Entry& at(std::uint32_t slot) const { return x_cells[slot].entry; }
    std::uint32_t age(std::uint32_t slot) const { return x_cells[slot].age; }
    /// Ages are below it.
    std::uint32_t end() const { return x_end; }
    /// The slot of the entry of this age; kNone if it was forgotten.
    std::uint32_t slot_of(std::uint32_t age) const { return x_slots[age]; }
    /// There must be one.
    std::uint32_t oldest() const { return x_slots[x_begin]; }

    /// Adds the youngest entry. The list must neither be full nor have all ages.
    void append(const Entry& entry) {
        std::uint32_t slot = x_free;
        if (slot != kNone)
            x_free = x_cells[slot].age;
        else
            slot = ++x_used;
        x_cells[slot].entry = entry;
        x_cells[slot].age = x_end;
        x_slots[x_end] = slot;
        live().add(x_end++);
    }
    /// Nothing will ask for the slot of this entry's age, but `slot_of`.
    void forget(std::uint32_t slot) { x_slots[x_cells[slot].age] = kNone; }
    /// Takes out the entry of a slot, which is not the only one. Returns whether `end` has changed.
    bool remove(std::uint32_t slot) {
        const std::uint32_t age = x_cells[slot].age;
        x_cells[slot].age = x_free;
        x_free = slot;
        live().remove(age);
        if (age == x_begin) {
            x_begin = live().first_from(age);
            prefetch_line(&x_cells[x_slots[std::min(x_begin + kAhead, x_end - 1)]]);
        }
        if (age + 1 != x_end) return false;
        x_end = age;
        return true;
    }
    /// Ages begin with 0 again, without gaps. There are more of them if less than 5/8 are free
    /// then. Returns the number of entries that were older than `age`: what that is now.
    template <class Memory>
    [[gnu::noinline]] std::uint32_t renumber(Memory& memory, std::uint32_t age) {
        std::uint32_t count = 0;
        std::uint32_t older = 0;
        live().visit(x_begin, x_end, [&](std::uint32_t of) {
            const std::uint32_t slot = x_slots[of];
            older += of < age ? 1 : 0;
            x_slots[count] = slot;
            x_cells[slot].age = count++;
            return true;
        });
        if (count > x_ages / 8 * 3) double_ages(memory, count);
        live().reset(count);
        x_begin = 0;
        x_end = count;
        return older;
    }

    /// The slot of the oldest entry from `age` on for which `is_it(slot)`; kNone if there is none.
    template <class IsIt>
    std::uint32_t first_from(std::uint32_t age, IsIt&& is_it) const {
        std::uint32_t found = kNone;
        live().visit(std::max(age, x_begin), x_end, [&](std::uint32_t of) {
            if (is_it(x_slots[of])) found = x_slots[of];
            return found == kNone;
        });
        return found;
    }
    /// The number of entries up to the one in this slot.
    std::uint64_t count(std::uint32_t slot) { return live().count(x_begin, x_cells[slot].age); }

   private:
    /// How many ages in advance an entry is fetched while the oldest ones are taken: that many
    /// matches take about as long as a fetch from memory.
    static constexpr std::uint32_t kAhead = 8;

    struct Cell {
        Entry entry;
        std::uint32_t age;  ///< Of a free one the free slot after it.
    };
    /// As many as two words of bits have.
    static constexpr std::uint32_t kFirstAges = 128;
    static std::size_t cells_bytes(std::uint32_t room) {
        return (std::size_t{room} + 1) * sizeof(Cell);
    }
    static std::size_t ages_bytes(std::uint32_t ages) {
        return LiveAges<Steps>::bytes(ages) + ages * sizeof(std::uint32_t);
    }
    LiveAges<Steps> live() const { return {x_live, x_ages, x_has_sums}; }

    template <class Memory>
    void create_cells(Memory& memory, std::uint32_t room) {
        x_room = room;
        x_cells = static_cast<Cell*>(memory.allocate(cells_bytes(room)));
    }
    template <class Memory>
    void create_ages(Memory& memory, std::uint32_t ages) {
        x_ages = ages;
        x_live = static_cast<std::byte*>(memory.allocate(ages_bytes(ages)));
        x_slots = reinterpret_cast<std::uint32_t*>(x_live + LiveAges<Steps>::bytes(ages));
    }
    /// Keeps the slots of the first `count` ages, but not which ages are live.
    template <class Memory>
    void double_ages(Memory& memory, std::uint32_t count) {
        const EntryList old = *this;
        create_ages(memory, 2 * x_ages);
        std::copy_n(old.x_slots, count, x_slots);
        memory.release(old.x_live, ages_bytes(old.x_ages));
    }

    Cell* x_cells = nullptr;
    std::byte* x_live = nullptr;       ///< See LiveAges.
    std::uint32_t* x_slots = nullptr;  ///< By age.
    std::uint32_t x_room = 0;
    std::uint32_t x_ages = 0;  ///< How many there are before they begin anew.
    std::uint32_t x_used = 0;  ///< Slots up to this one have been used.
    std::uint32_t x_free = kNone;
    std::uint32_t x_begin = 0;  ///< The age of the oldest entry, if there are any.
    std::uint32_t x_end = 0;
    mutable bool x_has_sums = false;  ///< Whether x_live has sums.
};

}  // namespace kumi::matching
