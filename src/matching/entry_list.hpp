#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/memory/prefetch.hpp"
#include "matching/search.hpp"

namespace kumi::matching {

/// Ages of entries: the smaller, the older.
using Age = std::uint64_t;

/// Counts the live ages in a range in O(log n): a bit for each age, and sums of bits. All live ages
/// are in a window of `room`. A view of memory that belongs to a list. What is counted is noted
/// from the first count on that needs it: most runs count nothing.
template <class Steps = UncountedSteps>
class AgeCounter {
   public:
    /// What the memory holds. The sums are a Fenwick tree over words of bits.
    enum class Holds : std::uint8_t { kNothing, kBits, kBitsAndSums };

    /// `room` is a power of two, and 64 at least.
    AgeCounter(void* memory, std::uint32_t room, Holds& holds)
        : x_words(static_cast<std::uint64_t*>(memory)),
          x_sums(reinterpret_cast<std::uint32_t*>(x_words + room / 64)),
          x_room_words(room / 64),
          x_holds(holds) {}
    /// Of that memory: a multiple of 8.
    static constexpr std::size_t bytes(std::uint32_t room) {
        const std::size_t words = room / 64;
        return words * sizeof(std::uint64_t) + (words + words % 2) * sizeof(std::uint32_t);
    }

    /// No age is live. From now on each must be added and removed here, too.
    void begin() {
        std::fill_n(x_words, x_room_words, 0);
        x_holds = Holds::kBits;
    }
    void add(Age age) {
        word(age / 64) |= bit(age);
        if (x_holds == Holds::kBitsAndSums) change_sums(place(age / 64), 1);
    }
    void remove(Age age) {
        word(age / 64) &= ~bit(age);
        if (x_holds == Holds::kBitsAndSums) change_sums(place(age / 64), ~std::uint32_t{0});
    }
    /// The number of live ages from `begin` to `end`, both included.
    std::uint64_t count(Age begin, Age end) {
        const std::uint64_t from = word(begin / 64) & ~std::uint64_t{0} << (begin % 64);
        const std::uint64_t up_to = ~std::uint64_t{0} >> (63 - end % 64);
        if (begin / 64 == end / 64) return ones(from & up_to);
        return ones(from) + between(begin / 64 + 1, end / 64) + ones(word(end / 64) & up_to);
    }

   private:
    /// The words of two cache lines: adding them up is quicker than looking up sums.
    static constexpr std::uint64_t kFewWords = 16;

    static std::uint64_t bit(Age age) { return std::uint64_t{1} << (age % 64); }
    static std::uint64_t ones(std::uint64_t word) {
        return static_cast<std::uint64_t>(std::popcount(word));
    }
    std::uint32_t place(std::uint64_t word) const {
        return static_cast<std::uint32_t>(word) & (x_room_words - 1);
    }
    std::uint64_t& word(std::uint64_t number) { return x_words[place(number)]; }

    /// The live ages in these words, which are fewer than all.
    std::uint64_t between(std::uint64_t begin, std::uint64_t end) {
        if (end - begin <= kFewWords) {
            std::uint64_t sum = 0;
            for (; begin < end; ++begin, Steps::step()) sum += ones(word(begin));
            return sum;
        }
        if (x_holds != Holds::kBitsAndSums) make_sums();
        const std::uint64_t sum = before(place(end)) - before(place(begin));
        return place(end) < place(begin) ? sum + before(x_room_words) : sum;
    }
    // The sum numbered n, from 1 on, is of as many words up to the n-th as n's lowest bit says.
    std::uint64_t before(std::uint32_t place) const {
        std::uint64_t sum = 0;
        for (; place > 0; place &= place - 1, Steps::step()) sum += x_sums[place - 1];
        return sum;
    }
    void make_sums() {
        for (std::uint32_t at = 1; at <= x_room_words; ++at, Steps::step())
            x_sums[at - 1] = static_cast<std::uint32_t>(ones(x_words[at - 1]));
        for (std::uint32_t at = 1; at <= x_room_words; ++at, Steps::step()) {
            const std::uint32_t next = at + (at & -at);
            if (next <= x_room_words) x_sums[next - 1] += x_sums[at - 1];
        }
        x_holds = Holds::kBitsAndSums;
    }
    void change_sums(std::uint32_t place, std::uint32_t by) {
        for (std::uint32_t at = place + 1; at <= x_room_words; at += at & -at, Steps::step())
            x_sums[at - 1] += by;
    }

    std::uint64_t* x_words;
    std::uint32_t* x_sums;
    std::uint32_t x_room_words;
    Holds& x_holds;
};

/// Entries in the order in which they came. Each lies in a slot, where it stays; the slot that was
/// freed last is used first, while it is in a cache. Slots have numbers from 1 on, and 0 is none.
///
/// Each entry has an age. A ring has the slots of all ages in a row; when it is full, the gaps are
/// closed that entries have left in it, and the ages of those behind them change. No other entry is
/// read or written when one is removed: those in no cache would take longer than all the rest.
/// Plain data in memory of the caller's.
template <class Entry, class Steps = UncountedSteps>
class EntryList {
   public:
    static constexpr std::uint32_t kNone = 0;
    static_assert(std::is_trivially_copyable_v<Entry>);

    /// Rooms are powers of two less one: that of slot 0 is never used.
    template <class Memory>
    void create(Memory& memory, std::uint32_t room) {
        create_cells(memory, room);
        create_ring(memory, kFirstRing);
    }
    template <class Memory>
    void release(Memory& memory) {
        memory.release(x_cells, cells_bytes(x_room));
        memory.release(x_ring, ring_bytes(ring_size()));
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
    bool has_full_ring() const { return x_end - x_begin > x_last_place; }

    const Entry& at(std::uint32_t slot) const { return x_cells[slot].entry; }
    Age age(std::uint32_t slot) const { return x_cells[slot].age; }
    /// No entry is older.
    Age begin() const { return x_begin; }
    /// Ages are below it.
    Age end() const { return x_end; }
    /// The slot of the entry of this age, from `begin` on and below `end`; kNone if it was taken
    /// out.
    std::uint32_t slot_of(Age age) const { return ring_at(age); }
    /// There must be one.
    std::uint32_t oldest() const { return x_oldest; }

    /// Adds the youngest entry. Neither the list nor the ring must be full.
    void append(const Entry& entry) {
        const Age age = x_end;
        std::uint32_t slot = x_free;
        if (slot != kNone)
            x_free = static_cast<std::uint32_t>(x_cells[slot].age);
        else
            slot = ++x_used;
        x_end = age + 1;
        x_cells[slot].entry = entry;
        x_cells[slot].age = age;
        ring_at(age) = slot;
        if (x_counted != Counted::kNothing) [[unlikely]]
            counter().add(age);
    }
    /// Takes out the entry of a slot, which is not the only one. Returns whether `end` has changed.
    bool remove(std::uint32_t slot) {
        const Age age = x_cells[slot].age;
        x_cells[slot].age = x_free;
        x_free = slot;
        ring_at(age) = kNone;
        if (x_counted != Counted::kNothing) [[unlikely]]
            counter().remove(age);
        if (age == x_begin) {
            x_begin = first_live(age + 1);
            x_oldest = ring_at(x_begin);
            prefetch_line(&x_cells[ring_at(x_begin + kAhead)]);
            return false;
        }
        if (age + 1 != x_end) return false;
        x_end = age;
        return true;
    }
    /// Closes the gaps in the ring, which is larger afterwards if less than 5/8 of it are free
    /// then. Returns the end of the ages of those entries that were older than `age`.
    template <class Memory>
    [[gnu::noinline]] Age close_gaps(Memory& memory, Age age) {
        const Age middle = std::clamp(age, x_begin, x_end);
        const Age older_end = renumber(x_begin, middle, x_begin);
        x_end = renumber(middle, x_end, older_end);
        if (x_end - x_begin > ring_size() / 8 * 3) double_ring(memory);
        // The next count begins anew.
        x_counted = Counted::kNothing;
        return older_end;
    }

    /// The slot of the oldest entry from `age` on for which `is_it(slot)`; kNone if there is none.
    template <class IsIt>
    std::uint32_t first_from(Age age, IsIt&& is_it) const {
        for (age = std::max(age, x_begin); age < x_end; ++age) {
            Steps::step();
            const std::uint32_t slot = ring_at(age);
            if (slot != kNone && is_it(slot)) return slot;
        }
        return kNone;
    }
    /// The number of entries up to the one in this slot.
    std::uint64_t count(std::uint32_t slot) {
        if (x_counted == Counted::kNothing) begin_counting();
        return counter().count(x_begin, x_cells[slot].age);
    }

   private:
    /// How many ages in advance an entry is fetched while the oldest ones are taken: that many
    /// matches take about as long as a fetch from memory.
    static constexpr std::uint32_t kAhead = 8;
    /// As many ages as two words of bits have.
    static constexpr std::uint32_t kFirstRing = 128;

    using Counted = typename AgeCounter<Steps>::Holds;
    struct Cell {
        Entry entry;
        Age age;  ///< Of a free one the free slot after it.
    };
    static std::size_t cells_bytes(std::uint32_t room) {
        return (std::size_t{room} + 1) * sizeof(Cell);
    }
    static std::size_t ring_bytes(std::uint32_t size) {
        return AgeCounter<Steps>::bytes(size) + size * sizeof(std::uint32_t);
    }
    AgeCounter<Steps> counter() { return {x_ring + ring_size(), ring_size(), x_counted}; }
    std::uint32_t ring_size() const { return static_cast<std::uint32_t>(x_last_place) + 1; }
    std::uint32_t& ring_at(Age age) const { return x_ring[age & x_last_place]; }
    /// The first age from this one on that has an entry; there must be one.
    Age first_live(Age age) const {
        for (; ring_at(age) == kNone; ++age) Steps::step();
        return age;
    }

    template <class Memory>
    void create_cells(Memory& memory, std::uint32_t room) {
        x_room = room;
        x_cells = static_cast<Cell*>(memory.allocate(cells_bytes(room)));
    }
    template <class Memory>
    void create_ring(Memory& memory, std::uint32_t size) {
        x_last_place = size - 1;
        x_ring = static_cast<std::uint32_t*>(memory.allocate(ring_bytes(size)));
        std::fill_n(x_ring, size, kNone);
    }
    template <class Memory>
    void double_ring(Memory& memory) {
        const EntryList old = *this;
        create_ring(memory, 2 * old.ring_size());
        for (Age age = x_begin; age < x_end; ++age) ring_at(age) = old.ring_at(age);
        memory.release(old.x_ring, ring_bytes(old.ring_size()));
    }
    /// Gives the entries of some ages those from `first` on. Returns the age behind them.
    Age renumber(Age begin, Age end, Age first) {
        // Where there are gaps cannot be predicted: slot 0 is written in place of a branch.
        for (; begin < end; ++begin) {
            Steps::step();
            const std::uint32_t slot = ring_at(begin);
            ring_at(first) = slot;
            x_cells[slot].age = first;
            first += slot != kNone ? 1 : 0;
        }
        return first;
    }
    [[gnu::noinline]] void begin_counting() {
        counter().begin();
        first_from(0, [&](std::uint32_t slot) {
            counter().add(x_cells[slot].age);
            return false;
        });
    }

    Cell* x_cells = nullptr;
    std::uint32_t* x_ring = nullptr;  ///< Slots, by age; behind them what AgeCounter needs.
    Age x_begin = 0;                  ///< Of the oldest entry, if there are any.
    Age x_end = 0;
    Age x_last_place = 0;        ///< In the ring, whose size is a power of two.
    std::uint32_t x_oldest = 1;  ///< The slot of the oldest entry, if there are any.
    std::uint32_t x_free = kNone;
    std::uint32_t x_used = 0;  ///< Slots up to this one have been used.
    std::uint32_t x_room = 0;
    Counted x_counted = Counted::kNothing;
};

}  // namespace kumi::matching
