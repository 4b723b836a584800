#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/prefetch.hpp"
#include "matching/envelope.hpp"
#include "matching/steps.hpp"

namespace kumi::matching {

/// A hash table of chains of slots: in each chain those whose entries compare equal in one family
/// of wildcards, oldest first. Open addressing; plain data in memory of the caller's.
///
/// Whoever owns the slots says which are live. A dead one stays in its chain until it is met at the
/// front of it, or until the table is made anew.
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

    /// Puts `slot` behind all others of its chain. `key_of(slot)` is the key of a slot's entry, be
    /// it dead or live; `number` tells families apart that share the table.
    template <class KeyOf>
    void append(const Family& family, std::uint32_t number, std::uint32_t slot, KeyOf&& key_of) {
        Bucket& bucket = bucket_of(family, number, key_of(slot), key_of);
        x_next[slot] = kNone;
        if (bucket.first == kNone) {
            bucket = {number, slot, slot, slot};
            return;
        }
        if (bucket.front == kNone) bucket.front = slot;
        x_next[bucket.last] = slot;
        bucket.last = slot;
    }

    /// The oldest slot of the chain of `key` for which `is_live(slot)` and `allows(slot)`; kNone if
    /// there is none.
    template <class KeyOf, class IsLive, class Allows>
    std::uint32_t find(const Family& family, std::uint32_t number, const Envelope& key,
                       KeyOf&& key_of, IsLive&& is_live, Allows&& allows) {
        Bucket& bucket = bucket_of(family, number, key, key_of);
        if (bucket.first == kNone) return kNone;
        for (; bucket.front != kNone && !is_live(bucket.front); Steps::step())
            bucket.front = x_next[bucket.front];
        std::uint32_t slot = bucket.front;
        for (; slot != kNone && !(is_live(slot) && allows(slot)); Steps::step())
            slot = x_next[slot];
        return slot;
    }

    /// Fetches the place where the chain of `key` begins.
    void prefetch(const Family& family, std::uint32_t number, const Envelope& key) const {
        prefetch_line(&x_buckets[home(family, number, key)]);
    }

   private:
    struct Bucket {
        std::uint32_t number = 0;     ///< Of the family.
        std::uint32_t first = kNone;  ///< Says the chain's key; may be dead.
        std::uint32_t front = kNone;  ///< None before it is live.
        std::uint32_t last = kNone;
    };

    std::size_t bucket_count() const { return std::size_t{x_bucket_mask} + 1; }
    std::uint32_t home(const Family& family, std::uint32_t number, const Envelope& key) const {
        return (family.hash(key) + (number << 2) * 0x9E3779B9U) & x_bucket_mask;
    }
    /// The bucket of the chain, or the empty one where it would begin.
    template <class KeyOf>
    Bucket& bucket_of(const Family& family, std::uint32_t number, const Envelope& key,
                      KeyOf& key_of) {
        std::uint32_t place = home(family, number, key);
        for (;; place = (place + 1) & x_bucket_mask) {
            Steps::step();
            Bucket& bucket = x_buckets[place];
            if (bucket.first == kNone) return bucket;
            if (bucket.number == number && family.same(key_of(bucket.first), key)) return bucket;
        }
    }

    Bucket* x_buckets = nullptr;
    std::uint32_t* x_next = nullptr;  ///< In the chain, of each slot.
    std::uint32_t x_room = 0;
    std::uint32_t x_bucket_mask = 0;
};

}  // namespace kumi::matching
