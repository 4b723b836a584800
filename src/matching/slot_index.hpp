#pragma once

#include <cstdint>

#include "matching/chain_table.hpp"
#include "matching/entry_list.hpp"
#include "matching/envelope.hpp"
#include "matching/search.hpp"

namespace kumi::matching {

/// Finds the oldest entry of a list that a probe accepts, by one look into a hash table for each
/// family of wildcards that is in use. Plain data in memory of the caller's.
///
/// A posted receive is in the chains of its own family, and a message looks into those of all. A
/// message is in the chains of every family in which has been searched, and a pattern looks into
/// those of its own. Entries are also found by their ids, once one has been asked for.
template <class Entry, class Steps = UncountedSteps>
class SlotIndex {
   public:
    using List = EntryList<Entry, Steps>;
    using Found = typename ChainTable<Steps>::Found;
    static constexpr std::uint32_t kNone = List::kNone;

    /// No slot is in the index, and no family is in use.
    template <class Memory>
    void release(Memory& memory) {
        for (ChainTable<Steps>& table : x_tables)
            if (table.exists()) table.release(memory);
        if (x_ids.exists()) x_ids.release(memory);
        x_families = 0;
        x_family[0] = kUnused;
        x_has_others = false;
    }
    /// For as many slots as the list has room for now.
    template <class Memory>
    void grow(Memory& memory, const List& list) {
        for (std::uint32_t number = 0; number < kTables; ++number) {
            if (!x_tables[number].exists()) continue;
            x_tables[number].grow(memory, list.room(), [&](std::uint32_t slot) {
                const Entry& entry = list.at(slot);
                if constexpr (Entry::kHasFamily)
                    return entry.family().hash(entry.key());
                else
                    return x_family[number].hash(entry.key());
            });
        }
        if (!x_ids.exists()) return;
        x_ids.grow(memory, list.room(),
                   [&](std::uint32_t slot) { return hash_of_id(list.at(slot).id); });
    }

    /// Adds a slot whose entry is younger than all others. False if it has a kind of wildcard for
    /// which there is no room.
    template <class Memory>
    bool append(Memory& memory, const List& list, std::uint32_t slot) {
        if constexpr (Entry::kHasFamily) {
            const Family family = list.at(slot).family();
            // Nearly all are of the first family.
            if (family != x_family[0] && !make_known(memory, list, family)) [[unlikely]]
                return false;
            append_to(x_tables[0], family, list, slot);
        } else {
            if (x_families > 0) append_to(x_tables[0], x_family[0], list, slot);
        }
        if (x_has_others) append_to_others(list, slot);
        return true;
    }
    /// Takes out a slot, which is in the index.
    [[gnu::noinline]] void remove(const List& list, std::uint32_t slot) {
        if constexpr (Entry::kHasFamily) {
            remove_from(x_tables[0], list.at(slot).family(), list, slot);
        } else {
            remove_except(kNoFamily, list, slot);
        }
        if (x_ids.exists()) remove_id(list, slot);
    }
    /// The same for what was found last.
    void remove(const List& list, const Found& found) {
        x_tables[Entry::kHasFamily ? 0 : x_found_table].remove(found.chain, found.slot);
        if (x_has_others) remove_from_others(list, found.slot);
    }

    /// The slot of the entry with this id; kNone if there is none. All of the list are in the
    /// index.
    template <class Memory>
    std::uint32_t find_id(Memory& memory, const List& list, std::uint32_t id) {
        if (!x_ids.exists()) {
            x_ids.create(memory, list.room());
            x_has_others = true;
            for_each_below(list.end(), list, [&](std::uint32_t slot) { append_id(list, slot); });
        }
        const auto always = [](std::uint32_t) { return true; };
        return x_ids.find(hash_of_id(id), has_id(list, id), always).slot;
    }

    /// Makes the index fit for searching with `probe`, whose kind of wildcard may be new. False if
    /// there is no room for it. All entries below the age `end` are in the index.
    template <class Memory>
    bool prepare(Memory& memory, const List& list, const typename Entry::Probe& probe, Age end) {
        if constexpr (!Entry::kHasFamily) {
            const Family family = family_of(probe);
            // Nearly all are of the same family as the last one.
            if (family != x_family[x_found_table]) [[unlikely]]
                return choose_table(memory, list, family, end);
        }
        return true;
    }

    /// The oldest entry that accepts `probe` and for which `allows(entry)`. After `prepare`.
    template <class Allows>
    Found find(const List& list, const typename Entry::Probe& probe, Allows&& allows) const {
        const auto allowed = [&](std::uint32_t slot) { return allows(list.at(slot)); };
        if (Entry::kHasFamily && x_families != 1) return find_in_all(list, key_of(probe), allowed);
        const auto accepts = [&](std::uint32_t slot) { return list.at(slot).accepts(probe); };
        if constexpr (Entry::kHasFamily)
            return x_tables[0].find(x_family[0].hash(key_of(probe)), accepts, allowed);
        else
            return x_tables[x_found_table].find(family_of(probe).hash(key_of(probe)), accepts,
                                                allowed);
    }

    /// Fetches the place where the search for an envelope without wildcards begins.
    void prefetch(const Envelope& envelope) const {
        if (x_families > 0) x_tables[0].prefetch(x_family[0].hash(envelope));
    }

   private:
    /// MPI has four kinds of wildcards, for as many ways in which a library uses the tag's bits.
    static constexpr std::uint32_t kMostFamilies = Entry::kHasFamily ? 16 : 4;
    /// All families of posted receives share a table.
    static constexpr std::uint32_t kTables = Entry::kHasFamily ? 1 : kMostFamilies;
    static constexpr std::uint32_t kNoFamily = kMostFamilies;
    /// No pattern has it, since it compares a part of the source.
    static constexpr Family kUnused{0, 1};

    static Envelope key_of(const typename Entry::Probe& probe) { return {probe.source, probe.tag}; }
    /// Whether the chain with a slot in front is that of a key.
    static auto is_of(const List& list, const Family& family, const Envelope& key) {
        return [&list, &family, key](std::uint32_t slot) {
            const Entry& entry = list.at(slot);
            if constexpr (Entry::kHasFamily)
                if (entry.family() != family) return false;
            return family.same(entry.key(), key);
        };
    }
    static auto has_id(const List& list, std::uint32_t id) {
        return [&list, id](std::uint32_t slot) { return list.at(slot).id == id; };
    }
    static Hash hash_of_id(std::uint32_t id) { return Family{}.hash({.tag = id}); }

    std::uint32_t find(const Family& family) const {
        std::uint32_t number = 0;
        while (number < x_families && x_family[number] != family) ++number;
        return number < x_families ? number : kNoFamily;
    }
    /// A new family, with a table. False if there is no room for it.
    template <class Memory>
    [[gnu::noinline]] bool add(Memory& memory, const List& list, Family family) {
        if (x_families == kMostFamilies) return false;
        ChainTable<Steps>& table = x_tables[Entry::kHasFamily ? 0 : x_families];
        if (!table.exists()) table.create(memory, list.room());
        x_family[x_families++] = family;
        x_has_others |= !Entry::kHasFamily && x_families > 1;
        return true;
    }
    /// For receives: the family, with the table of all. False if there is no room for it.
    template <class Memory>
    [[gnu::noinline]] bool make_known(Memory& memory, const List& list, Family family) {
        return find(family) != kNoFamily || add(memory, list, family);
    }
    /// For messages: the table of this family, or a new one with all that are below the age `end`.
    template <class Memory>
    [[gnu::noinline]] bool choose_table(Memory& memory, const List& list, Family family, Age end) {
        std::uint32_t number = find(family);
        if (number == kNoFamily) {
            number = x_families;
            if (!add(memory, list, family)) return false;
            for_each_below(end, list, [&](std::uint32_t slot) {
                append_to(x_tables[number], family, list, slot);
            });
        }
        x_found_table = number;
        return true;
    }
    template <class Use>
    static void for_each_below(Age end, const List& list, Use use) {
        list.first_from(0, [&](std::uint32_t slot) {
            if (list.age(slot) < end) use(slot);
            return false;
        });
    }
    /// The oldest receive of all families.
    template <class Allowed>
    [[gnu::noinline]] Found find_in_all(const List& list, const Envelope& key,
                                        const Allowed& allowed) const {
        Found oldest = {};
        for (std::uint32_t number = 0; number < x_families; ++number) {
            const Family& family = x_family[number];
            const auto found =
                x_tables[0].find(family.hash(key), is_of(list, family, key), allowed);
            if (found.slot == kNone) continue;
            if (oldest.slot == kNone || list.age(found.slot) < list.age(oldest.slot))
                oldest = found;
        }
        return oldest;
    }
    static void append_to(ChainTable<Steps>& table, const Family& family, const List& list,
                          std::uint32_t slot) {
        const Envelope key = list.at(slot).key();
        table.append(family.hash(key), slot, is_of(list, family, key));
    }
    [[gnu::noinline]] void append_to_others(const List& list, std::uint32_t slot) {
        if constexpr (!Entry::kHasFamily)
            for (std::uint32_t number = 1; number < x_families; ++number)
                append_to(x_tables[number], x_family[number], list, slot);
        if (x_ids.exists()) append_id(list, slot);
    }
    [[gnu::noinline]] void remove_from_others(const List& list, std::uint32_t slot) {
        if constexpr (!Entry::kHasFamily) remove_except(x_found_table, list, slot);
        if (x_ids.exists()) remove_id(list, slot);
    }
    static void remove_from(ChainTable<Steps>& table, const Family& family, const List& list,
                            std::uint32_t slot) {
        const Envelope key = list.at(slot).key();
        table.remove(family.hash(key), slot, is_of(list, family, key));
    }
    [[gnu::noinline]] void append_id(const List& list, std::uint32_t slot) {
        const std::uint32_t id = list.at(slot).id;
        x_ids.append(hash_of_id(id), slot, has_id(list, id));
    }
    [[gnu::noinline]] void remove_id(const List& list, std::uint32_t slot) {
        const std::uint32_t id = list.at(slot).id;
        x_ids.remove(hash_of_id(id), slot, has_id(list, id));
    }
    /// Takes a message's slot out of the tables of all other families.
    [[gnu::noinline]] void remove_except(std::uint32_t except, const List& list,
                                         std::uint32_t slot) {
        for (std::uint32_t number = 0; number < x_families; ++number)
            if (number != except) remove_from(x_tables[number], x_family[number], list, slot);
    }

    std::uint32_t x_families = 0;
    /// Whether slots are in more tables than one.
    bool x_has_others = false;
    std::uint32_t x_found_table = 0;  ///< Of the last search.
    Family x_family[kMostFamilies] = {kUnused};
    ChainTable<Steps> x_tables[kTables];
    ChainTable<Steps> x_ids;
};

}  // namespace kumi::matching
