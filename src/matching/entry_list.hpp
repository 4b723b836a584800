#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/check.hpp"
#include "matching/steps.hpp"

namespace kumi::matching {

/// Entries in the order in which they came. Each lies in a slot, where it stays; the slot that was
/// freed last is used first, while it is in a cache. Slots have numbers from 1 on, and 0 is none.
///
/// Each entry has an age: the smaller, the older. Plain data in memory of the caller's.
template <class Entry, class Steps = UncountedSteps>
class EntryList {
   public:
    static constexpr std::uint32_t kNone = 0;
    static_assert(std::is_trivially_copyable_v<Entry>);

    template <class Memory>
    void create(Memory& memory, std::uint32_t room) {
        x_room = room;
        x_cells = static_cast<Cell*>(memory.allocate(bytes(room)));
        x_links = reinterpret_cast<Link*>(x_cells + room + 1);
        x_links[kNone] = {};
    }
    template <class Memory>
    void release(Memory& memory) {
        memory.release(x_cells, bytes(x_room));
    }
    /// Entries keep their slots.
    template <class Memory>
    void grow(Memory& memory, std::uint32_t room) {
        const EntryList old = *this;
        create(memory, room);
        std::copy_n(old.x_cells, x_used + 1, x_cells);
        std::copy_n(old.x_links, x_used + 1, x_links);
        for (std::uint32_t slot = 0; slot < x_used; ++slot) Steps::step();
        memory.release(old.x_cells, bytes(old.x_room));
    }

    std::uint32_t room() const { return x_room; }
    bool is_full() const { return x_free == kNone && x_used == x_room; }
    std::uint32_t oldest() const { return x_links[kNone].next; }
    /// The one that came next; after the youngest none.
    std::uint32_t next(std::uint32_t slot) const { return x_links[slot].next; }
    const Entry& at(std::uint32_t slot) const { return x_cells[slot].entry; }
    std::uint32_t age(std::uint32_t slot) const { return x_cells[slot].age; }
    /// Of the entry that comes next.
    std::uint32_t next_age() const { return x_next_age; }

    /// Adds the youngest entry and returns its slot. The list must not be full.
    std::uint32_t append(const Entry& entry) {
        std::uint32_t slot = x_free;
        if (slot != kNone)
            x_free = x_links[slot].next;
        else
            slot = ++x_used;
        x_cells[slot] = {entry, x_next_age++};
        const std::uint32_t youngest = x_links[kNone].previous;
        x_links[slot] = {kNone, youngest};
        x_links[youngest].next = slot;
        x_links[kNone].previous = slot;
        return slot;
    }
    void remove(std::uint32_t slot) {
        const std::uint32_t next = x_links[slot].next;
        const std::uint32_t previous = x_links[slot].previous;
        x_links[previous].next = next;
        x_links[next].previous = previous;
        x_links[slot].next = x_free;
        x_free = slot;
    }
    /// Ages begin with 0 again, without gaps.
    void renumber() {
        x_next_age = 0;
        for (std::uint32_t slot = oldest(); slot != kNone; slot = next(slot), Steps::step())
            x_cells[slot].age = x_next_age++;
    }

   private:
    struct Cell {
        Entry entry;
        std::uint32_t age;
    };
    /// That of no slot closes the ring. Free slots have a next one only.
    struct Link {
        std::uint32_t next = kNone;
        std::uint32_t previous = kNone;
    };
    static std::size_t bytes(std::uint32_t room) {
        return (std::size_t{room} + 1) * (sizeof(Cell) + sizeof(Link));
    }

    Cell* x_cells = nullptr;
    Link* x_links = nullptr;
    std::uint32_t x_room = 0;
    std::uint32_t x_used = 0;  ///< Slots up to this one have been used.
    std::uint32_t x_free = kNone;
    std::uint32_t x_next_age = 0;
};

}  // namespace kumi::matching
