#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/memory/prefetch.hpp"
#include "matching/envelope.hpp"
#include "matching/search.hpp"

namespace kumi::matching {

/// A hash table of chains of slots: in each chain those whose entries compare equal in one family
/// of wildcards, oldest first. Chains whose hashes begin alike are in a list, of which the bucket
/// has the first. Plain data in memory of the caller's.
///
/// Most chains are of one slot, and alone in their bucket. Then the bucket's word is all that is
/// read or written, besides the entry, which the caller wants anyway.
template <class Steps = UncountedSteps>
class ChainTable {
   public:
    static constexpr std::uint32_t kNone = 0;

    bool exists() const { return x_buckets != nullptr; }

    /// For slots from 1 to `room`, each of which is in one chain at most.
    template <class Memory>
    void create(Memory& memory, std::uint32_t room) {
        const std::uint32_t buckets = 2 * std::bit_ceil(room);
        x_shift = static_cast<std::uint32_t>(64 - std::countr_zero(buckets));
        x_buckets = static_cast<Word*>(memory.allocate(sizeof(Word) * buckets));
        std::fill_n(x_buckets, buckets, kNone);
        x_links = static_cast<Link*>(memory.allocate(links_bytes(room)));
        x_room = room;
    }
    template <class Memory>
    void release(Memory& memory) {
        memory.release(x_buckets, sizeof(Word) * bucket_count());
        memory.release(x_links, links_bytes(x_room));
        *this = {};
    }
    /// Chains stay as they are. `hash_of(slot)` is the hash of the chain with this slot in front.
    template <class Memory, class HashOf>
    void grow(Memory& memory, std::uint32_t room, HashOf hash_of) {
        ChainTable old = *this;
        create(memory, room);
        std::copy_n(old.x_links, old.x_room + 1, x_links);
        for (std::uint32_t bucket = 0; bucket < old.bucket_count(); ++bucket) {
            Steps::step();
            for (Word chain = old.x_buckets[bucket]; chain != kNone; Steps::step()) {
                const Word next = is_alone(chain) ? kNone : x_links[chain].next_chain;
                if (!is_alone(chain)) x_links[chain].next_chain = kNone;
                *last_in(hash_of(front_of(chain))) = chain;
                chain = next;
            }
        }
        old.release(memory);
    }

    /// Puts `slot` behind all others of the chain with this hash whose front `is_it(slot)`.
    template <class IsIt>
    void append(Hash hash, std::uint32_t slot, IsIt&& is_it) {
        Word* chain = &x_buckets[home(hash)];
        for (Steps::step(); *chain != kNone && !is_it(front_of(*chain)); Steps::step())
            chain = &opened(*chain).next_chain;
        if (*chain == kNone)
            *chain = slot | kAlone;
        else
            append_to(*chain, slot);
    }

    struct Found {
        std::uint32_t slot = kNone;  ///< kNone if there is none.
        /// The word that names the front of its chain; nullptr if it was not found in a table.
        std::uint32_t* chain = nullptr;
    };
    /// The oldest slot for which `allows(slot)` of the chain with this hash whose front
    /// `is_it(slot)`.
    template <class IsIt, class Allows>
    Found find(Hash hash, IsIt&& is_it, Allows&& allows) const {
        Word* chain = &x_buckets[home(hash)];
        for (Steps::step(); *chain != kNone && !is_it(front_of(*chain)); Steps::step()) {
            if (is_alone(*chain)) return {kNone, chain};
            chain = &x_links[*chain].next_chain;
        }
        std::uint32_t slot = front_of(*chain);
        for (; slot != kNone && !allows(slot); Steps::step())
            slot = is_alone(*chain) ? kNone : x_links[slot].next;
        return {slot, chain};
    }
    /// Takes a slot out of the chain in which it was found.
    void remove(std::uint32_t* chain, std::uint32_t slot) {
        if (*chain == (slot | kAlone))
            *chain = kNone;
        else
            unlink(*chain, slot);
    }
    /// The same, wherever the chain is.
    template <class IsIt>
    void remove(Hash hash, std::uint32_t slot, IsIt&& is_it) {
        remove(find(hash, is_it, [](std::uint32_t) { return true; }).chain, slot);
    }

    /// Fetches the place where a search for this hash begins.
    void prefetch(Hash hash) const { prefetch_line(&x_buckets[home(hash)]); }

   private:
    /// A chain: the slot in front, with a bit that says that there is nothing behind it, neither
    /// another slot nor another chain. Its link has not been written then.
    using Word = std::uint32_t;
    static constexpr Word kAlone = 0x80000000;
    struct Link {
        std::uint32_t next = kNone;
        std::uint32_t previous = kNone;  ///< Not of a slot in front.
        Word next_chain = kNone;         ///< Only of a slot in front, as what follows.
        std::uint32_t last = kNone;      ///< In the chain.
    };

    static bool is_alone(Word chain) { return (chain & kAlone) != 0; }
    static std::uint32_t front_of(Word chain) { return chain & ~kAlone; }
    std::size_t bucket_count() const { return std::size_t{1} << (64 - x_shift); }
    static std::size_t links_bytes(std::uint32_t room) {
        return sizeof(Link) * (std::size_t{room} + 1);
    }
    /// The bucket of a hash: four tags in a row share a cache line.
    std::uint32_t home(Hash hash) const {
        return static_cast<std::uint32_t>(hash.spread >> x_shift ^ (hash.near & 3));
    }
    /// The link of a chain's front, for something behind it.
    Link& opened(Word& chain) {
        if (is_alone(chain)) {
            chain = front_of(chain);
            x_links[chain] = {.last = chain};
        }
        return x_links[chain];
    }
    /// Where another chain of this hash is noted.
    Word* last_in(Hash hash) {
        Word* chain = &x_buckets[home(hash)];
        for (; *chain != kNone; Steps::step()) chain = &opened(*chain).next_chain;
        return chain;
    }
    // What is seldom needed is not inlined: registers are for the rest.
    [[gnu::noinline]] void append_to(Word& chain, std::uint32_t slot) {
        Link& front = opened(chain);
        x_links[front.last].next = slot;
        x_links[slot] = {.previous = front.last};
        front.last = slot;
    }
    [[gnu::noinline]] void unlink(Word& chain, std::uint32_t slot) {
        const Link link = x_links[slot];
        if (slot != chain) {
            x_links[link.previous].next = link.next;
            std::uint32_t& back =
                link.next == kNone ? x_links[chain].last : x_links[link.next].previous;
            back = link.previous;
        } else if (link.next == kNone) {
            chain = link.next_chain;
        } else {
            x_links[link.next].next_chain = link.next_chain;
            x_links[link.next].last = link.last;
            chain = link.next;
        }
    }

    Word* x_buckets = nullptr;
    Link* x_links = nullptr;  ///< Of each slot.
    std::uint32_t x_room = 0;
    std::uint32_t x_shift = 0;  ///< Of a hash, to the bits that say which bucket.
};

}  // namespace kumi::matching
