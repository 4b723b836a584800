#pragma once

#include <cstddef>
#include <cstdint>

#include "base/numbered_table.hpp"
#include "endpoint/request.hpp"
#include "transport/buffer.hpp"
#include "transport/call_list.hpp"

namespace kumi::transport {

/// What the caller gave for a request, until it has its completion.
struct Asked {
    enum class List : std::uint8_t {
        kReceives,  ///< With tags.
        kSends,     ///< With tags, that want a completion.
        kOthers,
    };

    void* context = nullptr;
    std::uint32_t request = endpoint::kNone;
    List list = List::kOthers;
    bool is_receive = false;
    bool wants_completion = true;
    /// Of a receive, the MPI function that asserts that its message fills the buffer.
    const char* exact_for = nullptr;
    std::uint32_t logged = 0;  ///< Its number in the records of calls; 0 if it has none.
    CallLink in_list{};        ///< Its call is not before that of any other request.
    HashLink by_context{};     ///< Of a receive, once receives are looked for by their contexts.
    Buffer buffer{};
};

/// The requests of this process whose completions it has not got. Adding, removing and finding one
/// take O(1).
class Outstanding {
   public:
    /// A fresh one, to be added when its fields are known; returns its number.
    std::uint32_t make() { return x_table.make(); }
    void add(std::uint32_t number) {
        const Asked& added = x_table[number];
        list_of(added.list).add(x_table, number);
        if (x_finds_contexts && added.is_receive) x_contexts.add(x_table, number);
    }
    void remove(std::uint32_t number) {
        const Asked& removed = x_table[number];
        list_of(removed.list).remove(x_table, number);
        if (x_finds_contexts && removed.is_receive) x_contexts.remove(x_table, number);
        x_table.give_back(number);
    }
    Asked& operator[](std::uint32_t number) { return x_table[number]; }

    /// The oldest one of a list; nullptr if there is none.
    const Asked* oldest(Asked::List list) { return at(list_of(list).first()); }
    /// Calls `visit(asked)` with each receive and send that has a tag, wants a completion and was
    /// started by this call: the receives first, and of either the oldest.
    template <class Visit>
    void visit_call(std::uint32_t call, Visit&& visit) {
        for (const Asked::List list : {Asked::List::kReceives, Asked::List::kSends}) {
            list_of(list).visit_call(x_table, call, [&](const Asked& asked) {
                if (asked.wants_completion) visit(asked);
            });
        }
    }
    /// The oldest receive with this context; nullptr if there is none.
    const Asked* find_receive(void* context) {
        if (!x_finds_contexts) index_contexts();
        return at(x_contexts.find(x_table, context));
    }
    /// How many requests have been passed while others were looked for.
    std::uint64_t steps() const {
        std::uint64_t sum = x_contexts.steps();
        for (const CallList<Asked>& list : x_lists) sum += list.steps();
        return sum;
    }

   private:
    struct ByContext {
        static HashLink& link(Asked& asked) { return asked.by_context; }
        static void* key(const Asked& asked) { return asked.context; }
        /// MPI libraries take the memory of requests in a row: so are their buckets. Contexts that
        /// lie nearer to each other have different ones, too.
        static std::size_t hash(void* context, std::size_t buckets) {
            constexpr std::size_t kGoldenRatio = 0x9E3779B97F4A7C15;
            const auto address = reinterpret_cast<std::uintptr_t>(context);
            const std::size_t place = address / 128;
            return place + place / buckets + (address % 128 * kGoldenRatio >> 32);
        }
    };

    CallList<Asked>& list_of(Asked::List list) { return x_lists[static_cast<std::size_t>(list)]; }
    const Asked* at(std::uint32_t number) {
        return number == endpoint::kNone ? nullptr : &x_table[number];
    }
    /// From now on receives are found by their contexts: few programs ever cancel one.
    void index_contexts() {
        x_finds_contexts = true;
        for (const Asked::List list : {Asked::List::kReceives, Asked::List::kOthers}) {
            list_of(list).visit_all(x_table, [this](std::uint32_t number) {
                if (x_table[number].is_receive) x_contexts.add(x_table, number);
            });
        }
    }

    NumberedTable<Asked> x_table;
    CallList<Asked> x_lists[3];
    LinkedHash<Asked, ByContext> x_contexts;
    bool x_finds_contexts = false;
};

}  // namespace kumi::transport
