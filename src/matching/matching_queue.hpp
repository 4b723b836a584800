#pragma once

#include <cstddef>
#include <cstdint>

namespace kumi {

inline constexpr std::uint32_t kAnySource = 0xFFFFFFFF;

/// What a message says of itself.
struct Envelope {
    std::uint32_t source = 0;
    std::uint64_t tag = 0;
};

/// What a receive accepts: tag bits set in `ignore` are not compared.
struct Pattern {
    std::uint32_t source = kAnySource;
    std::uint64_t tag = 0;
    std::uint64_t ignore = 0;

    bool accepts(const Envelope& envelope) const {
        return ((tag ^ envelope.tag) & ~ignore) == 0 &&
               (source == kAnySource || source == envelope.source);
    }
    bool operator==(const Pattern&) const = default;
};

/// To be a member of a MatchingQueue, an entry derives from this.
template <class Entry>
struct MatchingLink {
    Entry* previous = nullptr;
    Entry* next = nullptr;
};

/// Entries in the order in which they came, oldest first, as MPI's rules of matching want it.
/// Entries belong to the caller. Searching is linear in the entries before the match, which is
/// what `searched` counts and the matching cost is charged for.
template <class Entry>
class MatchingQueue {
   public:
    bool empty() const { return x_first == nullptr; }
    std::size_t size() const { return x_size; }
    Entry* oldest() const { return x_first; }

    void append(Entry* entry) {
        entry->previous = x_last;
        entry->next = nullptr;
        (x_last != nullptr ? x_last->next : x_first) = entry;
        x_last = entry;
        ++x_size;
    }

    void remove(Entry* entry) {
        (entry->previous != nullptr ? entry->previous->next : x_first) = entry->next;
        (entry->next != nullptr ? entry->next->previous : x_last) = entry->previous;
        entry->previous = entry->next = nullptr;
        --x_size;
    }

    /// The oldest entry for which `matches(entry)`, or nullptr; adds to `searched` how many entries
    /// were looked at, the match included.
    template <class Matches>
    Entry* find(Matches&& matches, std::uint64_t& searched) const {
        for (Entry* entry = x_first; entry != nullptr; entry = entry->next) {
            ++searched;
            if (matches(*entry)) return entry;
        }
        return nullptr;
    }

   private:
    Entry* x_first = nullptr;
    Entry* x_last = nullptr;
    std::size_t x_size = 0;
};

}  // namespace kumi
