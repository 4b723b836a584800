#pragma once

#include <cstddef>
#include <cstdint>

#include "transport/linked_hash.hpp"

namespace kumi::transport {

/// What an item of a CallList has as its `in_list`.
struct CallLink {
    std::uint32_t call = 0;
    std::uint32_t next = endpoint::kNone, previous = endpoint::kNone;
    HashLink by_call;  ///< Used by the first item of each call.
};

/// Items of a NumberedTable in the order of the MPI calls by which they were added, which only
/// grow. Those of one call lie together; the first of them is found by its call: in a hash table,
/// once one was not among the first few.
template <class Item>
class CallList {
   public:
    using Table = NumberedTable<Item>;

    std::uint32_t first() const { return x_first; }

    void add(Table& table, std::uint32_t number) {
        CallLink& added = table[number].in_list;
        added.previous = x_last;
        added.next = endpoint::kNone;
        (x_last == endpoint::kNone ? x_first : link(table, x_last).next) = number;
        x_last = number;
        if (x_is_indexed) add_to_index(table, number);
    }
    void remove(Table& table, std::uint32_t number) {
        const CallLink removed = link(table, number);
        (removed.previous == endpoint::kNone ? x_first : link(table, removed.previous).next) =
            removed.next;
        (removed.next == endpoint::kNone ? x_last : link(table, removed.next).previous) =
            removed.previous;
        if (!x_is_indexed || is_of_call(table, removed.previous, removed.call)) return;
        x_calls.remove(table, number);
        if (is_of_call(table, removed.next, removed.call)) x_calls.add(table, removed.next);
    }
    /// Calls `visit(item)` with each item of this call, oldest first.
    template <class Visit>
    void visit_call(Table& table, std::uint32_t call, Visit&& visit) {
        std::uint32_t at = find(table, call);
        for (; is_of_call(table, at, call); at = link(table, at).next, ++x_steps) visit(table[at]);
    }
    /// Calls `visit(number)` with each item, oldest first.
    template <class Visit>
    void visit_all(Table& table, Visit&& visit) {
        for (std::uint32_t at = x_first; at != endpoint::kNone;
             at = link(table, at).next, ++x_steps)
            visit(at);
    }
    /// How many items have been passed so far.
    std::uint64_t steps() const { return x_steps + x_calls.steps(); }

   private:
    static constexpr std::uint32_t kFew = 8;

    struct ByCall {
        static HashLink& link(Item& item) { return item.in_list.by_call; }
        static std::uint32_t key(const Item& item) { return item.in_list.call; }
        /// Calls that follow each other have neighbouring buckets. Calls that are a power of two
        /// apart, as in a loop, do not share a few.
        static std::size_t hash(std::uint32_t call, std::size_t buckets) {
            return call + call / buckets;
        }
    };

    static CallLink& link(Table& table, std::uint32_t number) { return table[number].in_list; }
    /// `number` may be kNone.
    static bool is_of_call(Table& table, std::uint32_t number, std::uint32_t call) {
        return number != endpoint::kNone && link(table, number).call == call;
    }

    /// The first item of a call; kNone if there is none.
    std::uint32_t find(Table& table, std::uint32_t call) {
        if (x_is_indexed) return x_calls.find(table, call);
        std::uint32_t at = x_first;
        for (std::uint32_t passed = 0; at != endpoint::kNone; at = link(table, at).next) {
            if (link(table, at).call == call) return at;
            ++x_steps;
            if (++passed < kFew) continue;
            x_is_indexed = true;
            visit_all(table, [&](std::uint32_t number) { add_to_index(table, number); });
            return x_calls.find(table, call);
        }
        return endpoint::kNone;
    }
    void add_to_index(Table& table, std::uint32_t number) {
        const CallLink& added = link(table, number);
        if (!is_of_call(table, added.previous, added.call)) x_calls.add(table, number);
    }

    LinkedHash<Item, ByCall> x_calls;  ///< The first item of each, if there is an index.
    bool x_is_indexed = false;
    std::uint32_t x_first = endpoint::kNone;
    std::uint32_t x_last = endpoint::kNone;
    std::uint64_t x_steps = 0;
};

}  // namespace kumi::transport
