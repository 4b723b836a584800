#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/memory/prefetch.hpp"
#include "matching/envelope.hpp"
#include "matching/steps.hpp"

namespace kumi::matching {

/// A hash table of chains of slots: in each chain those whose entries compare equal in one family
/// of wildcards, oldest first. Open addressing; plain data in memory of the caller's.
///
/// The owner of the slots says which are live. A dead one stays in its chain until it is met at the
/// front of it, or until the table is cleared. A search of a chain with one live slot reads one
/// cache line of the table and that slot's entry, which the caller wants anyway.
template <class Steps = UncountedSteps>
class ChainTable {
   public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    bool exists() const { return x_buckets != nullptr; }

    /// For slots below `room`, each of which is in one chain at most.
    template <class Memory>
    void create(Memory& memory, std::uint32_t room) {
        x_bucket_mask = std::bit_ceil(2 * room) - 1;
        x_buckets = static_cast<Bucket*>(memory.allocate(sizeof(Bucket) * bucket_count()));
        std::fill_n(x_buckets, bucket_count(), Bucket{});
        x_next = static_cast<std::uint32_t*>(memory.allocate(sizeof(std::uint32_t) * room));
        x_room = room;
    }
    template <class Memory>
    void release(Memory& memory) {
        memory.release(x_buckets, sizeof(Bucket) * bucket_count());
        memory.release(x_next, sizeof(std::uint32_t) * x_room);
        *this = {};
    }

    /// No slot is in any chain.
    void clear() { std::fill_n(x_buckets, bucket_count(), Bucket{}); }

    /// Puts `slot` behind all others of its chain. `key_of(slot)` is the key of a slot's entry, be
    /// it dead or live; `number` distinguishes families that share the table.
    template <class KeyOf>
    void append(const Family& family, std::uint32_t number, std::uint32_t slot, KeyOf&& key_of) {
        Bucket& bucket = x_buckets[place_of(family, number, key_of(slot), key_of)];
        if (bucket.last == kNone) {
            bucket = {number, family.hash(key_of(slot)), slot, slot};
            return;
        }
        x_next[bucket.last] = slot;
        bucket.last = slot;
    }

    /// The oldest slot of the chain of `key` for which `is_live(slot)` and `allows(slot)`; kNone if
    /// there is none. `place` becomes where that chain is.
    template <class KeyOf, class IsLive, class Allows>
    std::uint32_t find(const Family& family, std::uint32_t number, const Envelope& key,
                       KeyOf&& key_of, IsLive&& is_live, Allows&& allows, std::uint32_t& place) {
        place = place_of(family, number, key, key_of);
        Bucket& bucket = x_buckets[place];
        for (; bucket.last != kNone && !is_live(bucket.front); Steps::step()) remove_front(bucket);
        if (bucket.last == kNone) return kNone;
        std::uint32_t slot = bucket.front;
        for (; !(is_live(slot) && allows(slot)); Steps::step()) {
            if (slot == bucket.last) return kNone;
            slot = x_next[slot];
        }
        return slot;
    }
    /// Takes a dead slot out of its chain if it is in front of the one at `place`, whose line is at
    /// hand still when it was found there just before.
    void remove(std::uint32_t place, std::uint32_t slot) {
        Bucket& bucket = x_buckets[place];
        if (bucket.front == slot && bucket.last != kNone) remove_front(bucket);
    }

    /// Fetches the place where the chain of `key` begins.
    void prefetch(const Family& family, std::uint32_t number, const Envelope& key) const {
        prefetch_line(&x_buckets[home(family.hash(key), number)]);
    }

   private:
    struct Bucket {
        std::uint32_t number = 0;     ///< Of the family.
        std::uint32_t hash = 0;       ///< Spares reading the entries of other chains.
        std::uint32_t front = kNone;  ///< Says the chain's key, also when it is dead.
        std::uint32_t last = kNone;   ///< None if all slots of the chain are dead.
    };

    std::size_t bucket_count() const { return std::size_t{x_bucket_mask} + 1; }
    std::uint32_t home(std::uint32_t hash, std::uint32_t number) const {
        return (hash + (number << 2) * 0x9E3779B9U) & x_bucket_mask;
    }
    /// The last slot has no next one: what it says is never read.
    void remove_front(Bucket& bucket) {
        if (bucket.front == bucket.last)
            bucket.last = kNone;
        else
            bucket.front = x_next[bucket.front];
    }
    /// The bucket of the chain, or the empty one where it would begin.
    template <class KeyOf>
    std::uint32_t place_of(const Family& family, std::uint32_t number, const Envelope& key,
                           KeyOf& key_of) {
        const std::uint32_t hash = family.hash(key);
        std::uint32_t place = home(hash, number);
        for (;; place = (place + 1) & x_bucket_mask) {
            Steps::step();
            const Bucket& bucket = x_buckets[place];
            if (bucket.front == kNone) return place;
            if (bucket.hash == hash && bucket.number == number &&
                family.same(key_of(bucket.front), key))
                return place;
        }
    }

    Bucket* x_buckets = nullptr;
    std::uint32_t* x_next = nullptr;  ///< In the chain, of each slot.
    std::uint32_t x_room = 0;
    std::uint32_t x_bucket_mask = 0;
};

}  // namespace kumi::matching
