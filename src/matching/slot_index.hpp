#pragma once

#include <cstdint>

#include "matching/chain_table.hpp"
#include "matching/envelope.hpp"

namespace kumi::matching {

/// Finds the oldest of many entries that a probe accepts, by one look into a hash table for each
/// family of wildcards that is in use. Plain data in memory of the caller's.
///
/// A posted receive is in the chains of its own family, and a message looks into those of all. A
/// message is in the chains of every family in which has been searched, and a pattern looks into
/// those of its own.
template <class Entry>
class SlotIndex {
   public:
    static constexpr std::uint32_t kNone = ChainTable::kNone;

    /// For slots below `room`.
    explicit SlotIndex(std::uint32_t room) : x_room(room) {}
    template <class Memory>
    void release(Memory& memory) {
        for (ChainTable& table : x_tables)
            if (table.exists()) table.release(memory);
        x_families = 0;
    }

    /// Adds the entry of a slot that is younger than all others. `entries` are those of all slots.
    /// False if it has a kind of wildcard for which there is no room.
    template <class Memory>
    bool append(Memory& memory, const Entry* entries, std::uint32_t slot) {
        const auto key_of = [entries](std::uint32_t of) { return entries[of].key(); };
        if constexpr (Entry::kHasFamily) {
            const std::uint32_t number = add(entries[slot].family());
            if (number == kNone) return false;
            if (!x_tables[0].exists()) x_tables[0].create(memory, x_room);
            x_tables[0].append(x_family[number], number, slot, key_of);
        } else {
            for (std::uint32_t number = 0; number < x_families; ++number)
                x_tables[number].append(x_family[number], number, slot, key_of);
        }
        return true;
    }

    /// Makes the index fit for searching with `probe`, whose kind of wildcard may be new. False if
    /// there is no room for it. `for_each_live(use)` must call `use(slot)` for each, oldest first.
    template <class Memory, class ForEachLive>
    bool prepare(Memory& memory, const Entry* entries, const typename Entry::Probe& probe,
                 ForEachLive&& for_each_live) {
        if constexpr (!Entry::kHasFamily) {
            const Family family = family_of(probe);
            if (find(family) != kNone) return true;
            const std::uint32_t number = add(family);
            if (number == kNone) return false;
            ChainTable& table = x_tables[number];
            table.create(memory, x_room);
            const auto key_of = [entries](std::uint32_t of) { return entries[of].key(); };
            for_each_live([&](std::uint32_t slot) { table.append(family, number, slot, key_of); });
        }
        return true;
    }

    /// The oldest slot whose entry accepts `probe` and for which `allows(entry)`; kNone if there is
    /// none. After `prepare`.
    template <class IsLive, class Allows>
    std::uint32_t find(const Entry* entries, const typename Entry::Probe& probe, IsLive&& is_live,
                       Allows&& allows) {
        const auto key_of = [entries](std::uint32_t of) { return entries[of].key(); };
        const auto allowed = [&](std::uint32_t slot) { return allows(entries[slot]); };
        if constexpr (Entry::kHasFamily) {
            std::uint32_t oldest = kNone;
            for (std::uint32_t number = 0; number < x_families; ++number) {
                const std::uint32_t found =
                    x_tables[0].find(x_family[number], number, probe, key_of, is_live, allowed);
                if (found < oldest) oldest = found;
            }
            return oldest;
        } else {
            const std::uint32_t number = find(family_of(probe));
            return x_tables[number].find(x_family[number], number, {probe.source, probe.tag},
                                         key_of, is_live, allowed);
        }
    }

    /// Fetches the place where the search for an envelope without wildcards begins.
    void prefetch(const Envelope& envelope) const {
        if (x_families > 0) x_tables[0].prefetch(x_family[0], 0, envelope);
    }

   private:
    /// MPI has four kinds of wildcards, for as many ways in which a library uses the tag's bits.
    static constexpr std::uint32_t kMostFamilies = Entry::kHasFamily ? 16 : 4;
    /// All families of posted receives share a table.
    static constexpr std::uint32_t kTables = Entry::kHasFamily ? 1 : kMostFamilies;

    std::uint32_t find(const Family& family) const {
        for (std::uint32_t number = 0; number < x_families; ++number)
            if (x_family[number] == family) return number;
        return kNone;
    }
    std::uint32_t add(const Family& family) {
        const std::uint32_t known = find(family);
        if (known != kNone || x_families == kMostFamilies) return known;
        x_family[x_families] = family;
        return x_families++;
    }

    std::uint32_t x_room;
    std::uint32_t x_families = 0;
    Family x_family[kMostFamilies] = {};
    ChainTable x_tables[kTables];
};

}  // namespace kumi::matching
