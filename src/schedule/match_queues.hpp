#pragma once

#include <cstdint>
#include <vector>

#include "base/large_memory.hpp"
#include "base/prefetch.hpp"
#include "schedule/match_table.hpp"

namespace kumi {

/// A receive that is posted, or a message that no receive was posted for.
struct MatchEntry {
    std::uint32_t source = 0;
    std::uint32_t tag = 0;
    std::uint32_t number = 0;
};

/// One queue of entries for each rank, oldest first.
///
/// The first few lie beside each other and are searched in order, which is all that most ranks ever
/// need. More of them go into a hash table, unless their order counts (because searching costs
/// virtual time, or because of wildcards): then they stay in order, and searching is linear. The
/// table chains numbers of one key by `next`, which belongs to the caller.
class MatchQueues {
   public:
    static constexpr std::uint32_t kNone = MatchTable::kNone;

    void create(std::uint32_t ranks, bool keeps_order) {
        x_short.resize(ranks);
        x_keeps_order = keeps_order;
        if (keeps_order) x_long.resize(ranks);
    }

    /// `set_next(last, number)` must put `number` behind `last`.
    template <class SetNext>
    void append(std::uint32_t rank, const MatchEntry& entry, SetNext&& set_next) {
        Short& queue = x_short[rank];
        if (!queue.is_long && queue.count < kShort) {
            queue.entries[queue.count++] = entry;
            return;
        }
        if (!queue.is_long) {
            for (std::uint32_t place = 0; place < kShort; ++place) {
                append_long(rank, queue.entries[place], set_next);
            }
            queue.is_long = true;
        }
        append_long(rank, entry, set_next);
        ++queue.count;
    }

    /// Takes the oldest entry for which `accepts(entry)` out and returns its number; kNone if there
    /// is none. Without wildcards that must be one of this source and tag. Adds to `searched` how
    /// many entries were looked at, as far as order counts. `next(number)` must be what follows
    /// `number` in its chain.
    template <class Accepts, class Next>
    std::uint32_t take(std::uint32_t rank, std::uint32_t source, std::uint32_t tag,
                       Accepts&& accepts, Next&& next, std::uint64_t& searched) {
        Short& queue = x_short[rank];
        if (queue.is_long) return take_long(rank, source, tag, accepts, next, searched);
        for (std::uint32_t place = 0; place < queue.count; ++place) {
            ++searched;
            if (!accepts(queue.entries[place])) continue;
            const std::uint32_t number = queue.entries[place].number;
            --queue.count;
            for (; place < queue.count; ++place) queue.entries[place] = queue.entries[place + 1];
            return number;
        }
        return kNone;
    }

    /// Fetches the rank's queue.
    void prefetch(std::uint32_t rank) const { prefetch_line(&x_short[rank]); }
    /// The oldest entry of a short queue, for fetching what belongs to it; kNone if there is none.
    std::uint32_t likely_next(std::uint32_t rank) const {
        const Short& queue = x_short[rank];
        return queue.is_long || queue.count == 0 ? kNone : queue.entries[0].number;
    }
    /// Fetches the place of a key, if the rank's queue is a long one.
    void prefetch_key(std::uint32_t rank, std::uint32_t source, std::uint32_t tag) const {
        if (x_short[rank].is_long && !x_keeps_order) x_table.prefetch({rank, source, tag});
    }

   private:
    static constexpr std::uint32_t kShort = 10;

    struct alignas(64) Short {
        std::uint32_t count = 0;
        bool is_long = false;  ///< The entries are elsewhere; here only their number is right.
        MatchEntry entries[kShort];
    };
    static_assert(sizeof(Short) == 128);

    template <class SetNext>
    void append_long(std::uint32_t rank, const MatchEntry& entry, SetNext& set_next) {
        if (x_keeps_order) {
            x_long[rank].push_back(entry);
        } else {
            x_table.append({rank, entry.source, entry.tag}, entry.number, set_next);
        }
    }

    template <class Accepts, class Next>
    std::uint32_t take_long(std::uint32_t rank, std::uint32_t source, std::uint32_t tag,
                            Accepts& accepts, Next& next, std::uint64_t& searched) {
        Short& queue = x_short[rank];
        std::uint32_t number = kNone;
        if (x_keeps_order) {
            number = take_in_order(rank, accepts, searched);
        } else {
            number = x_table.take_first({rank, source, tag}, next);
        }
        if (number != kNone && --queue.count == 0) queue.is_long = false;
        return number;
    }

    template <class Accepts>
    std::uint32_t take_in_order(std::uint32_t rank, Accepts& accepts, std::uint64_t& searched) {
        std::vector<MatchEntry>& entries = x_long[rank];
        for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
            ++searched;
            if (!accepts(*entry)) continue;
            const std::uint32_t number = entry->number;
            entries.erase(entry);
            return number;
        }
        return kNone;
    }

    LargeVector<Short> x_short;
    bool x_keeps_order = false;
    std::vector<std::vector<MatchEntry>> x_long;
    MatchTable x_table;
};

}  // namespace kumi
