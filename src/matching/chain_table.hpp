#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/memory/prefetch.hpp"
#include "matching/envelope.hpp"
#include "matching/steps.hpp"

namespace kumi::matching {

/// A hash table of chains of slots: in each chain those whose entries compare equal in one family
/// of wildcards, oldest first. Open addressing; plain data in memory of the caller's.
///
/// A search of a chain reads one cache line of the table and the entry of the slot in front, which
/// the caller wants anyway. So does a removal from a chain of one slot.
template <class Steps = UncountedSteps>
class ChainTable {
   public:
    static constexpr std::uint32_t kNone = 0;

    bool exists() const { return x_buckets != nullptr; }

    /// For slots from 1 to `room`, each of which is in one chain at most.
    template <class Memory>
    void create(Memory& memory, std::uint32_t room) {
        create_buckets(memory, std::bit_ceil(room));
        x_links = static_cast<Link*>(memory.allocate(links_bytes(room)));
        x_room = room;
    }
    template <class Memory>
    void release(Memory& memory) {
        memory.release(x_buckets, sizeof(Bucket) * bucket_count());
        memory.release(x_links, links_bytes(x_room));
        *this = {};
    }
    /// Chains stay as they are.
    template <class Memory>
    void grow(Memory& memory, std::uint32_t room) {
        Link* const links = static_cast<Link*>(memory.allocate(links_bytes(room)));
        std::copy_n(x_links, x_room + 1, links);
        memory.release(x_links, links_bytes(x_room));
        x_links = links;
        x_room = room;
    }

    /// Puts `slot` behind all others of its chain. `key_of(slot)` is the key of a slot's entry;
    /// `number` distinguishes families that share the table.
    template <class Memory, class KeyOf>
    void append(Memory& memory, const Family& family, std::uint32_t number, std::uint32_t slot,
                KeyOf key_of) {
        if (x_chains >= bucket_count() / 8 * 5) double_buckets(memory);
        const Envelope key = key_of(slot);
        const std::uint32_t hash = hash_of(family, number, key);
        const Place place = place_of(family, number, key, hash, key_of);
        Bucket& bucket = x_buckets[place.at];
        if (!place.is_chain) {
            make_hole(place.at);
            bucket = {number, hash, slot, slot};
            ++x_chains;
            return;
        }
        x_links[bucket.last].next = slot;
        x_links[slot].previous = bucket.last;
        bucket.last = slot;
    }

    struct Found {
        std::uint32_t slot;   ///< kNone if there is none.
        std::uint32_t place;  ///< Of its chain.
    };
    /// The oldest slot of the chain of `key` for which `allows(slot)`.
    template <class KeyOf, class Allows>
    Found find(const Family& family, std::uint32_t number, Envelope key, KeyOf key_of,
               Allows&& allows) const {
        const Place place = place_of(family, number, key, hash_of(family, number, key), key_of);
        if (!place.is_chain) return {kNone, 0};
        const Bucket& bucket = x_buckets[place.at];
        std::uint32_t slot = bucket.front;
        for (; slot != kNone && !allows(slot); Steps::step())
            slot = slot == bucket.last ? kNone : x_links[slot].next;
        return {slot, place.at};
    }
    /// Takes a slot out of the chain at `place`, where it is.
    void remove(std::uint32_t place, std::uint32_t slot) {
        Bucket& bucket = x_buckets[place];
        if (bucket.front == bucket.last) {
            vacate(place);
            --x_chains;
        } else {
            unlink(bucket, slot);
        }
    }
    /// The same, wherever that chain is.
    template <class KeyOf>
    void remove(const Family& family, std::uint32_t number, std::uint32_t slot, KeyOf key_of) {
        const Envelope key = key_of(slot);
        remove(place_of(family, number, key, hash_of(family, number, key), key_of).at, slot);
    }

    /// Fetches the place where the chain of `key` begins.
    void prefetch(const Family& family, std::uint32_t number, const Envelope& key) const {
        prefetch_line(&x_buckets[home(hash_of(family, number, key))]);
    }

   private:
    /// Of a chain; empty if it has no slot in front. An empty one's hash begins to search here: so
    /// no question whether it is empty, of which the answer is at random, is asked when it need
    /// not.
    struct Bucket {
        std::uint32_t number = 0;  ///< Of the family.
        std::uint32_t hash = 0;    ///< Spares reading the entries of other chains.
        std::uint32_t front = kNone;
        std::uint32_t last = kNone;
    };
    /// In a chain. The first slot has no previous one, and the last no next one: what theirs say is
    /// never read.
    struct Link {
        std::uint32_t next;
        std::uint32_t previous;
    };

    template <class Memory>
    void create_buckets(Memory& memory, std::uint32_t count) {
        x_bucket_mask = count - 1;
        x_shift = static_cast<std::uint32_t>(32 - std::popcount(x_bucket_mask));
        x_buckets = static_cast<Bucket*>(memory.allocate(sizeof(Bucket) * bucket_count()));
        for (std::uint32_t place = 0; place < count; ++place) clear(place);
    }
    template <class Memory>
    [[gnu::noinline]] void double_buckets(Memory& memory) {
        Bucket* const old = x_buckets;
        const std::uint32_t old_count = x_bucket_mask + 1;
        create_buckets(memory, 2 * old_count);
        for (std::uint32_t from = 0; from < old_count; ++from) {
            Steps::step();
            if (old[from].front == kNone) continue;
            std::uint32_t place = home(old[from].hash);
            for (std::uint32_t searched = 0; !ends_at(place, searched); ++searched)
                place = following(place);
            make_hole(place);
            x_buckets[place] = old[from];
        }
        memory.release(old, sizeof(Bucket) * old_count);
    }

    std::size_t bucket_count() const { return std::size_t{x_bucket_mask} + 1; }
    static std::size_t links_bytes(std::uint32_t room) {
        return sizeof(Link) * (std::size_t{room} + 1);
    }
    std::uint32_t following(std::uint32_t place) const { return (place + 1) & x_bucket_mask; }
    static std::uint32_t hash_of(const Family& family, std::uint32_t number, const Envelope& key) {
        return family.hash(key) + (number << 2) * 0x9E3779B9U;
    }
    /// The bucket where the search for a hash begins: as its first bits say, turned within a cache
    /// line of four buckets by its last two. So four tags in a row share a line.
    std::uint32_t home(std::uint32_t hash) const {
        const std::uint32_t first = hash >> x_shift;
        return (first & ~3U) | ((first + hash) & 3);
    }
    /// Takes a slot out of a chain of several.
    [[gnu::noinline]] void unlink(Bucket& bucket, std::uint32_t slot) {
        const Link link = x_links[slot];
        if (slot == bucket.front)
            bucket.front = link.next;
        else if (slot == bucket.last)
            bucket.last = link.previous;
        else {
            x_links[link.previous].next = link.next;
            x_links[link.next].previous = link.previous;
        }
    }
    /// How far the bucket at `place` is from the home of its chain; 0 if it is empty.
    std::uint32_t from_home(std::uint32_t place) const {
        return (place - home(x_buckets[place].hash)) & x_bucket_mask;
    }
    /// Whether a search that has come this far would have met its chain. Chains that are further
    /// from their home come first (Robin Hood hashing), so that few buckets are searched and move.
    bool ends_at(std::uint32_t place, std::uint32_t searched) const {
        return x_buckets[place].front == kNone || from_home(place) < searched;
    }
    struct Place {
        std::uint32_t at;
        bool is_chain;  ///< The chain is there; else it belongs there.
    };
    template <class KeyOf>
    bool is_chain(std::uint32_t place, const Family& family, std::uint32_t number, Envelope key,
                  std::uint32_t hash, KeyOf key_of) const {
        const Bucket& bucket = x_buckets[place];
        return bucket.hash == hash && bucket.number == number &&
               family.same(key_of(bucket.front), key);
    }
    template <class KeyOf>
    Place place_of(const Family& family, std::uint32_t number, Envelope key, std::uint32_t hash,
                   KeyOf key_of) const {
        Steps::step();
        const std::uint32_t place = home(hash);
        if (x_buckets[place].front == kNone) return {place, false};
        if (is_chain(place, family, number, key, hash, key_of)) return {place, true};
        return place_beyond(place, family, number, key, hash, key_of);
    }
    // What is seldom needed is not inlined: registers are for the rest.
    template <class KeyOf>
    [[gnu::noinline]] Place place_beyond(std::uint32_t place, const Family& family,
                                         std::uint32_t number, Envelope key, std::uint32_t hash,
                                         KeyOf key_of) const {
        for (std::uint32_t searched = 1;; ++searched) {
            Steps::step();
            place = following(place);
            if (ends_at(place, searched)) return {place, false};
            if (is_chain(place, family, number, key, hash, key_of)) return {place, true};
        }
    }
    /// Empties the bucket at `place`: what is there, and behind it, moves on.
    void make_hole(std::uint32_t place) {
        if (x_buckets[place].front != kNone) move_on(place);
    }
    [[gnu::noinline]] void move_on(std::uint32_t place) {
        Bucket moved = x_buckets[place];
        while (moved.front != kNone) {
            Steps::step();
            place = following(place);
            std::swap(moved, x_buckets[place]);
        }
    }
    /// Empties the bucket at `place`: those behind it that are not at their home move back.
    void vacate(std::uint32_t place) {
        clear(from_home(following(place)) == 0 ? place : move_back(place));
    }
    [[gnu::noinline]] std::uint32_t move_back(std::uint32_t place) {
        for (std::uint32_t next = following(place); from_home(next) != 0; next = following(next)) {
            Steps::step();
            x_buckets[place] = x_buckets[next];
            place = next;
        }
        return place;
    }
    void clear(std::uint32_t place) { x_buckets[place] = {.hash = place << x_shift}; }

    Bucket* x_buckets = nullptr;
    Link* x_links = nullptr;  ///< Of each slot.
    std::uint32_t x_chains = 0;
    std::uint32_t x_room = 0;
    std::uint32_t x_bucket_mask = 0;
    std::uint32_t x_shift = 0;  ///< Of a hash, to its bits that are used.
};

}  // namespace kumi::matching
