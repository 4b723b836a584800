#pragma once

#include <cstdint>

#include "matching/chain_table.hpp"
#include "matching/envelope.hpp"
#include "matching/steps.hpp"

namespace kumi::matching {

/// Finds the oldest of many entries that a probe accepts, by one look into a hash table for each
/// family of wildcards that is in use. Plain data in memory of the caller's.
///
/// A posted receive is in the chains of its own family, and a message looks into those of all. A
/// message is in the chains of every family in which has been searched, and a pattern looks into
/// those of its own. Entries are also found by their ids, once one has been asked for.
template <class Entry, class Steps = UncountedSteps>
class SlotIndex {
   public:
    static constexpr std::uint32_t kNone = ChainTable<Steps>::kNone;

    /// For slots below `room`.
    explicit SlotIndex(std::uint32_t room) : x_room(room) {}
    template <class Memory>
    void release(Memory& memory) {
        for (ChainTable<Steps>& table : x_tables)
            if (table.exists()) table.release(memory);
        if (x_ids.exists()) x_ids.release(memory);
        x_families = 0;
    }
    /// No slot is in the index, and no family in use. What memory the tables have they keep.
    template <class Memory>
    void clear(Memory& memory) {
        if (Entry::kHasFamily && x_tables[0].exists()) x_tables[0].clear();
        if (x_ids.exists()) x_ids.release(memory);
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
        if (x_ids.exists()) append_id(entries, slot);
        return true;
    }

    /// The live slot of the entry with this id; kNone if there is none. `for_each_live(use)` must
    /// call `use(slot)` for each, oldest first.
    template <class Memory, class IsLive, class ForEachLive>
    std::uint32_t find_id(Memory& memory, const Entry* entries, std::uint32_t id, IsLive&& is_live,
                          ForEachLive&& for_each_live) {
        if (!x_ids.exists()) {
            x_ids.create(memory, x_room);
            for_each_live([&](std::uint32_t slot) { append_id(entries, slot); });
        }
        const auto always = [](std::uint32_t) { return true; };
        std::uint32_t place = 0;
        return x_ids.find(kOfIds, 0, key_of_id(id), key_of_ids(entries), is_live, always, place);
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
            ChainTable<Steps>& table = x_tables[number];
            if (table.exists())
                table.clear();
            else
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
                std::uint32_t place = 0;
                const std::uint32_t found = x_tables[0].find(x_family[number], number, probe,
                                                             key_of, is_live, allowed, place);
                if (found >= oldest) continue;
                oldest = found;
                x_found_place = place;
            }
            return oldest;
        } else {
            x_found_table = find(family_of(probe));
            return x_tables[x_found_table].find(x_family[x_found_table], x_found_table,
                                                {probe.source, probe.tag}, key_of, is_live, allowed,
                                                x_found_place);
        }
    }
    /// The slot that was found last is dead now. It leaves the chain in which it was found.
    void remove_found(std::uint32_t slot) { x_tables[x_found_table].remove(x_found_place, slot); }

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

    /// An id in place of an envelope.
    static Envelope key_of_id(std::uint32_t id) { return {.tag = id}; }
    static auto key_of_ids(const Entry* entries) {
        return [entries](std::uint32_t of) { return key_of_id(entries[of].id); };
    }
    void append_id(const Entry* entries, std::uint32_t slot) {
        x_ids.append(kOfIds, 0, slot, key_of_ids(entries));
    }
    static constexpr Family kOfIds{};

    std::uint32_t x_room;
    std::uint32_t x_families = 0;
    std::uint32_t x_found_table = 0;  ///< Of the last search, with the place of the chain in it.
    std::uint32_t x_found_place = 0;
    Family x_family[kMostFamilies] = {};
    ChainTable<Steps> x_tables[kTables];
    ChainTable<Steps> x_ids;
};

}  // namespace kumi::matching
