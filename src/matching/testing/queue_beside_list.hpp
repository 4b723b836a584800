#pragma once

#include <cstdint>
#include <vector>

#include "base/check.hpp"
#include "matching/queue.hpp"
#include "matching/testing/counting_memory.hpp"

namespace kumi::matching {

/// MPI's rules of matching as a plain list says them: the oldest entry that accepts the probe.
template <class Entry>
class NaiveQueue {
   public:
    using Probe = typename Entry::Probe;

    void append(const Entry& entry) { x_entries.push_back(entry); }

    template <class Allows>
    Search find(const Probe& probe, Allows&& allows) const {
        std::uint64_t searched = 0;
        for (const Entry& entry : x_entries) {
            ++searched;
            if (entry.accepts(probe) && allows(entry)) return {entry.id, true, searched};
        }
        return {0, false, searched};
    }
    bool remove(std::uint32_t id) {
        return std::erase_if(x_entries, [id](const Entry& entry) { return entry.id == id; }) > 0;
    }
    const std::vector<Entry>& entries() const { return x_entries; }

   private:
    std::vector<Entry> x_entries;
};

/// A queue, and a list to which the same is done: any difference ends the program.
template <class Entry, WhenEmpty kWhenEmpty = WhenEmpty::kKeepsRoom>
class QueueBesideList {
   public:
    using Probe = typename Entry::Probe;

    ~QueueBesideList() {
        x_queue.clear(x_memory);
        KUMI_ASSERT(x_memory.taken_bytes() == 0, "a cleared queue has given everything back");
    }

    /// Takes a match out, if there is one. Entries whose number is a multiple of `refused` are not
    /// allowed to match (0: all are), and those of which it is a multiple of `staying` stay, as
    /// multi-receive buffers do that are full or that take several messages.
    void take(const Probe& probe, std::uint32_t refused, std::uint32_t staying = 0) {
        const auto allows = allowing(refused);
        const Search expected = x_list.find(probe, allows);
        const auto stays = [staying](const Entry& entry) {
            return staying != 0 && entry.id % staying == 0;
        };
        check(x_queue.take(x_memory, probe, Counting::kYes, allows, stays), expected);
        if (expected.found && (staying == 0 || expected.id % staying != 0))
            x_list.remove(expected.id);
        check_size();
    }
    /// Looks, as a probe does; without counting it must find the same.
    void find(const Probe& probe, std::uint32_t refused) {
        const auto allows = allowing(refused);
        const Search expected = x_list.find(probe, allows);
        check(x_queue.find(x_memory, probe, Counting::kYes, allows), expected);
        const Search uncounted = x_queue.find(x_memory, probe, Counting::kNo, allows);
        KUMI_ASSERT(uncounted.found == expected.found && uncounted.id == expected.id,
                    "a search that does not count finds the same");
    }
    void append(const Entry& entry) {
        x_queue.append(x_memory, entry);
        x_list.append(entry);
        check_size();
    }
    /// As when a receive is cancelled.
    void remove(std::uint32_t id) {
        KUMI_ASSERT(x_queue.remove(x_memory, id) == x_list.remove(id), "it was there, or not");
        check_size();
    }
    /// Takes out everything, one after the other.
    void drain() {
        while (!x_list.entries().empty()) remove(x_list.entries().front().id);
    }
    /// All entries, in order.
    void check_all() const {
        std::size_t place = 0;
        x_queue.for_each([&](const Entry& entry) {
            KUMI_ASSERT(place < x_list.entries().size() && x_list.entries()[place].id == entry.id,
                        "the same entries in the same order");
            ++place;
            return true;
        });
        KUMI_ASSERT(place == x_list.entries().size(), "all entries");
        const Entry* oldest = x_queue.oldest();
        KUMI_ASSERT((oldest == nullptr) == x_list.entries().empty(), "the oldest entry");
    }
    std::uint32_t size() const { return x_queue.size(); }
    std::size_t taken_bytes() const { return x_memory.taken_bytes(); }

   private:
    static auto allowing(std::uint32_t refused) {
        return [refused](const Entry& entry) { return refused == 0 || entry.id % refused != 0; };
    }
    static void check(const Search& found, const Search& expected) {
        KUMI_ASSERT(found.found == expected.found, "found if the list finds it");
        KUMI_ASSERT(found.id == expected.id, "the oldest entry that accepts the probe");
        KUMI_ASSERT(found.searched == expected.searched, "as many entries as the list looks at");
    }
    void check_size() const {
        KUMI_ASSERT(x_queue.size() == x_list.entries().size(), "as many entries");
        KUMI_ASSERT(x_queue.empty() == x_list.entries().empty(), "empty together");
        constexpr std::size_t kMostKept = kWhenEmpty == WhenEmpty::kGivesBack ? 0 : 2048;
        KUMI_ASSERT(!x_queue.empty() || x_memory.taken_bytes() <= kMostKept,
                    "an empty queue keeps little, however long it was");
    }

    CountingMemory x_memory;
    Queue<Entry, kWhenEmpty> x_queue;
    NaiveQueue<Entry> x_list;
};

/// Both sides of one rank's matching, led by bytes of which every value means something: messages
/// arrive and receives are posted, with wildcards, probes, cancels and full buffers.
template <WhenEmpty kWhenEmpty>
class MatchingLedByBytes {
   public:
    explicit MatchingLedByBytes(std::uint8_t shape)
        : x_sources(1 + shape % 4), x_tags(1 + shape / 4 % 8), x_masks(1 + shape / 32) {}

    void step(std::uint8_t what, std::uint8_t which) {
        const std::uint32_t source = which % x_sources;
        const std::uint64_t tag = which / 4 % x_tags;
        const std::uint32_t id = x_next_id++;
        switch (what % 8) {
            case 0:
            case 1:
                x_posted.append(PostedEntry::of(pattern(source, tag, what / 8), id));
                break;
            case 2:
            case 3:
                x_unexpected.append(UnexpectedEntry::of({source, tag}, id));
                break;
            case 4:
                x_posted.take({source, tag}, what / 8 % 4 == 0 ? 3 : 0, what / 8 % 5 == 0 ? 5 : 0);
                break;
            case 5:
                x_unexpected.take(pattern(source, tag, what / 8), 0);
                break;
            case 6:
                x_unexpected.find(pattern(source, tag, what / 8), what / 64 == 0 ? 2 : 0);
                x_posted.find({source, tag}, 0);
                break;
            case 7:
                if (what / 8 % 4 == 3)
                    return which % 2 == 0 ? x_posted.drain() : x_unexpected.drain();
                x_posted.remove(id > which ? id - which : 0);
                x_unexpected.remove(id > which ? id - which : 0);
                break;
        }
    }
    /// Adds entries at once, enough for them to be looked up in another way.
    void fill(std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            step(static_cast<std::uint8_t>(8 * (i % 32)), static_cast<std::uint8_t>(i));
            step(static_cast<std::uint8_t>(8 * (i % 32) + 2), static_cast<std::uint8_t>(i));
        }
    }
    void check_all() const {
        x_posted.check_all();
        x_unexpected.check_all();
    }

   private:
    Pattern pattern(std::uint32_t source, std::uint64_t tag, std::uint32_t wildcards) const {
        const std::uint64_t mask = wildcards / 2 % x_masks;
        // More kinds of masks than MPI has, of which the last ignores the whole tag.
        return {wildcards % 2 == 0 ? source : kAnySource, tag,
                mask == 7 ? ~std::uint64_t{0} : mask};
    }

    std::uint32_t x_sources;
    std::uint64_t x_tags;
    std::uint64_t x_masks;
    std::uint32_t x_next_id = 1;
    QueueBesideList<PostedEntry, kWhenEmpty> x_posted;
    QueueBesideList<UnexpectedEntry, kWhenEmpty> x_unexpected;
};

}  // namespace kumi::matching
