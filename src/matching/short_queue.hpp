#pragma once

#include <emmintrin.h>

#include <bit>
#include <cstdint>

#include "base/memory/prefetch.hpp"
#include "matching/envelope.hpp"

namespace kumi::matching {

/// Some dozens of entries of one side of matching, in places in the order in which they came. A
/// byte of each entry's tag and one of its source are compared with a probe's, those of sixteen
/// entries by one instruction: mostly only the entry that is found is looked at. Plain data.
template <class Entry>
class alignas(64) ShortQueue {
   public:
    using Probe = typename Entry::Probe;
    /// Places have numbers from 1 on, and 0 is none.
    static constexpr std::uint32_t kNone = 0;

    /// Adds the youngest entry. False if there are too many.
    bool append(const Entry& entry) {
        if (x_end == kPlaces && !close_up()) [[unlikely]]
            return false;
        put(entry, x_end++);
        return true;
    }

    /// The place of the oldest entry that accepts `probe` and for which `allows(entry)`.
    template <class Allows>
    std::uint32_t find(const Probe& probe, Allows&& allows) {
        // Receives and messages often have the same order.
        const Entry& first = x_entries[std::countr_zero(x_live)];
        if (first.accepts(probe) && allows(first)) return oldest();
        for (std::uint64_t left = candidates(probe); left != 0; left &= left - 1) {
            const Entry& entry = x_entries[std::countr_zero(left)];
            if (entry.accepts(probe) && allows(entry)) return place_of(left);
        }
        return kNone;
    }
    /// The place of the entry with this id.
    std::uint32_t find_id(std::uint32_t id) const {
        for (std::uint64_t left = x_live; left != 0; left &= left - 1)
            if (x_entries[std::countr_zero(left)].id == id) return place_of(left);
        return kNone;
    }
    void remove(std::uint32_t place) {
        x_live &= ~bit(place - 1);
        if (place == x_end) --x_end;
    }
    /// Takes out everything. The next entries lie in the first places, which are in the caches.
    void clear() {
        x_live = x_any_tag = x_any_source = 0;
        x_end = 0;
    }

    const Entry& at(std::uint32_t place) const { return x_entries[place - 1]; }
    /// There must be one.
    std::uint32_t oldest() const { return place_of(x_live); }
    /// Calls `use(entry)` for each entry, oldest first, until it returns false.
    template <class Use>
    void for_each(Use&& use) const {
        for (std::uint64_t left = x_live; left != 0; left &= left - 1)
            if (!use(x_entries[std::countr_zero(left)])) return;
    }
    /// The number of entries up to the one in this place.
    std::uint64_t count(std::uint32_t place) const {
        return static_cast<std::uint64_t>(std::popcount(x_live << (kPlaces - place)));
    }

    /// Fetches what a search begins with.
    void prefetch() const {
        prefetch_line(&x_tags);
        prefetch_line(&x_sources);
        prefetch_line(&x_live);
    }

   private:
    static constexpr std::uint32_t kPlaces = 64;
    /// With more entries, places would have to be closed up after few new ones.
    static constexpr int kMostEntries = 48;
    using Bytes = std::uint8_t[kPlaces];

    static std::uint64_t bit(std::uint32_t at) { return std::uint64_t{1} << at; }
    static std::uint32_t place_of(std::uint64_t places) {
        return static_cast<std::uint32_t>(std::countr_zero(places)) + 1;
    }
    // Of the golden ratio what is behind the point (Fibonacci hashing).
    static std::uint8_t byte_of_tag(std::uint64_t tag) {
        return static_cast<std::uint8_t>(tag * 0x9E3779B97F4A7C15 >> 56);
    }
    static std::uint8_t byte_of_source(std::uint32_t source) {
        return static_cast<std::uint8_t>(source * 0x9E3779B9 >> 24);
    }

    void put(const Entry& entry, std::uint32_t at) {
        const Envelope key = entry.key();
        const std::uint8_t source = byte_of_source(key.source);
        x_entries[at] = entry;
        x_live |= bit(at);
        if (x_compares_sources)
            set(x_sources, at, source);
        else
            x_sources[at] = source;
        if constexpr (Entry::kHasFamily) {
            const Family family = entry.family();
            if (family.source_bits != Family{}.source_bits) x_any_source |= bit(at);
            if (family.tag_bits != Family{}.tag_bits) {
                x_any_tag |= bit(at);
                return;
            }
        }
        set(x_tags, at, byte_of_tag(key.tag));
    }

    /// All entries that may accept a probe.
    std::uint64_t candidates(const Probe& probe) {
        std::uint64_t found = x_live;
        if constexpr (Entry::kHasFamily) {
            if ((found & ~x_any_tag) != 0)
                found &= equal(x_tags, byte_of_tag(probe.tag)) | x_any_tag;
        } else if (probe.ignore == 0) {
            found &= equal(x_tags, byte_of_tag(probe.tag));
        }
        // Tags mostly leave one at most.
        if ((found & (found - 1)) == 0) return found;
        x_compares_sources = true;
        if constexpr (Entry::kHasFamily)
            found &= equal(x_sources, byte_of_source(probe.source)) | x_any_source;
        else if (probe.source != kAnySource)
            found &= equal(x_sources, byte_of_source(probe.source));
        return found;
    }
    /// Writes sixteen bytes, as many as `equal` reads at a time: a processor passes on what it has
    /// just written only to a read of no more than that.
    static void set(Bytes& bytes, std::uint32_t at, std::uint8_t byte) {
        auto* sixteen = reinterpret_cast<__m128i*>(bytes + at / 16 * 16);
        // Of the sixteen bytes from 15 - n on, byte n is set.
        static constexpr std::uint8_t kIsIt[32] = {0, 0, 0, 0, 0, 0, 0, 0,
                                                   0, 0, 0, 0, 0, 0, 0, 0xFF};
        const __m128i is_it =
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(kIsIt + 15 - at % 16));
        const __m128i set = _mm_and_si128(is_it, _mm_set1_epi8(static_cast<char>(byte)));
        _mm_store_si128(sixteen,
                        _mm_or_si128(_mm_andnot_si128(is_it, _mm_load_si128(sixteen)), set));
    }
    /// A bit for each byte that is equal, of those up to the youngest entry's.
    std::uint64_t equal(const Bytes& bytes, std::uint8_t byte) const {
        const __m128i wanted = _mm_set1_epi8(static_cast<char>(byte));
        const auto of_sixteen = [&](std::uint32_t at) -> std::uint64_t {
            const auto* sixteen = reinterpret_cast<const __m128i*>(bytes + at);
            const __m128i is_equal = _mm_cmpeq_epi8(_mm_load_si128(sixteen), wanted);
            return static_cast<std::uint32_t>(_mm_movemask_epi8(is_equal));
        };
        const std::uint64_t found = of_sixteen(0) | of_sixteen(16) << 16;
        if (x_end <= 32) return found;
        return found | of_sixteen(32) << 32 | of_sixteen(48) << 48;
    }

    /// Moves entries to the first places. False if there are too many.
    [[gnu::noinline]] bool close_up() {
        if (std::popcount(x_live) > kMostEntries) return false;
        std::uint64_t left = x_live, any_tag = 0, any_source = 0;
        for (x_end = 0; left != 0; left &= left - 1, ++x_end) {
            const auto from = static_cast<std::uint32_t>(std::countr_zero(left));
            x_entries[x_end] = x_entries[from];
            x_tags[x_end] = x_tags[from];
            x_sources[x_end] = x_sources[from];
            any_tag |= (x_any_tag >> from & 1) << x_end;
            any_source |= (x_any_source >> from & 1) << x_end;
        }
        x_live = bit(x_end) - 1;
        x_any_tag = any_tag;
        x_any_source = any_source;
        return true;
    }

    // What a search looks at comes first.
    Bytes x_tags = {};
    Bytes x_sources = {};
    std::uint64_t x_live = 0;  ///< Places that have an entry.
    /// Places whose bytes of tags, or of sources, say nothing. Some may be those of entries that
    /// have gone.
    std::uint64_t x_any_tag = 0;
    std::uint64_t x_any_source = 0;
    std::uint32_t x_end = 0;  ///< The first place behind all entries.
    /// Some search had to compare sources, so the next ones probably have to. Seldom where tags
    /// tell entries apart.
    bool x_compares_sources = false;
    Entry x_entries[kPlaces];
};

}  // namespace kumi::matching
