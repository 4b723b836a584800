#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/numbered_table.hpp"
#include "endpoint/request.hpp"

namespace kumi::transport {

/// An item's neighbours in a bucket of a LinkedHash.
struct HashLink {
    std::uint32_t next = endpoint::kNone, previous = endpoint::kNone;
};

/// A hash table over items of a NumberedTable. Items hold their own links, so that adding, removing
/// and finding one take O(1). Of several items with one key the one that was added first is found.
///
/// `Of::link(item)` is the item's HashLink, `Of::key(item)` its key, and `Of::hash(key, buckets)` a
/// number of which the lowest bits say the bucket.
template <class Item, class Of>
class LinkedHash {
   public:
    using Table = NumberedTable<Item>;

    void add(Table& table, std::uint32_t number) {
        if (++x_count > x_buckets.size()) grow(table);
        append(table, number);
    }
    void remove(Table& table, std::uint32_t number) {
        --x_count;
        const Item& item = table[number];
        const HashLink link = Of::link(table[number]);
        Bucket& bucket = bucket_of(Of::key(item));
        (link.previous == endpoint::kNone ? bucket.first : Of::link(table[link.previous]).next) =
            link.next;
        (link.next == endpoint::kNone ? bucket.last : Of::link(table[link.next]).previous) =
            link.previous;
    }
    /// The number of the item; endpoint::kNone if there is none.
    template <class Key>
    std::uint32_t find(Table& table, const Key& key) {
        std::uint32_t at = bucket_of(key).first;
        for (; at != endpoint::kNone && Of::key(table[at]) != key; ++x_steps)
            at = Of::link(table[at]).next;
        return at;
    }
    /// How many items have been passed in searches so far, and moved.
    std::uint64_t steps() const { return x_steps; }

   private:
    struct Bucket {
        std::uint32_t first = endpoint::kNone, last = endpoint::kNone;
    };
    static constexpr std::size_t kFewestBuckets = 64;

    template <class Key>
    Bucket& bucket_of(const Key& key) {
        return x_buckets[Of::hash(key, x_buckets.size()) & (x_buckets.size() - 1)];
    }
    void append(Table& table, std::uint32_t number) {
        Bucket& bucket = bucket_of(Of::key(table[number]));
        Of::link(table[number]) = {.next = endpoint::kNone, .previous = bucket.last};
        (bucket.last == endpoint::kNone ? bucket.first : Of::link(table[bucket.last]).next) =
            number;
        bucket.last = number;
    }
    void grow(Table& table) {
        const std::vector<Bucket> before = std::move(x_buckets);
        x_buckets = std::vector<Bucket>(2 * before.size());
        for (const Bucket& bucket : before) {
            for (std::uint32_t at = bucket.first; at != endpoint::kNone; ++x_steps) {
                const std::uint32_t next = Of::link(table[at]).next;
                append(table, at);
                at = next;
            }
        }
    }

    std::vector<Bucket> x_buckets = std::vector<Bucket>(kFewestBuckets);
    std::size_t x_count = 0;
    std::uint64_t x_steps = 0;
};

}  // namespace kumi::transport
