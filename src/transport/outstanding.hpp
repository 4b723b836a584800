#pragma once

#include <cstdint>

#include "base/handle_table.hpp"
#include "endpoint/request.hpp"
#include "transport/buffer.hpp"

namespace kumi {

/// What the caller gave for a request, until it has its completion.
struct Asked {
    void* context = nullptr;
    std::uint32_t request = endpoint::kNone;
    std::uint32_t next = endpoint::kNone, previous = endpoint::kNone;
    bool is_tagged_receive = false;
    Buffer buffer;
};

/// The requests of this process whose completions it has not got, in the order in which they were
/// started.
class Outstanding {
   public:
    std::uint32_t add(std::uint32_t request, bool is_tagged_receive, void* context,
                      const Buffer& buffer) {
        const std::uint32_t number = x_table.make();
        Asked& added = x_table[number];
        added.context = context;
        added.request = request;
        added.is_tagged_receive = is_tagged_receive;
        added.buffer = buffer;
        added.previous = x_last;
        (x_last == endpoint::kNone ? x_first : x_table[x_last].next) = number;
        x_last = number;
        return number;
    }
    void remove(std::uint32_t number) {
        const Asked& removed = x_table[number];
        const std::uint32_t next = removed.next, previous = removed.previous;
        (previous == endpoint::kNone ? x_first : x_table[previous].next) = next;
        (next == endpoint::kNone ? x_last : x_table[next].previous) = previous;
        x_table.give_back(number);
    }
    Asked& operator[](std::uint32_t number) { return x_table[number]; }

    /// Calls `visit(asked)` with each, oldest first, until it says false.
    template <class Visit>
    void for_each(Visit&& visit) {
        for (std::uint32_t at = x_first; at != endpoint::kNone; at = x_table[at].next)
            if (!visit(x_table[at])) return;
    }

   private:
    HandleTable<Asked> x_table;
    std::uint32_t x_first = endpoint::kNone;
    std::uint32_t x_last = endpoint::kNone;
};

}  // namespace kumi
