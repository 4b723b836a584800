#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/time/time.hpp"

namespace kumi::schedule {

/// An operation that may start, and since when.
struct ReadyOperation {
    Instant when{};
    std::uint32_t operation = 0;
    auto operator<=>(const ReadyOperation&) const = default;
};

/// Operations that may start, earliest first, ties by number. Most are put in in that order: they
/// need no heap.
class ReadyQueue {
   public:
    bool empty() const { return x_next == x_end && x_others.empty(); }

    void push(const ReadyOperation& added) {
        if (x_next == x_end) {
            x_next = x_end = 0;
        } else if (added < x_in_order[x_end - 1]) {
            return push_other(added.when, added.operation);
        }
        if (x_end == x_in_order.size()) x_in_order.resize(2 * x_end + kFirst);
        x_in_order[x_end++] = added;
    }

    /// Takes the first one; there must be one.
    ReadyOperation pop() {
        const bool is_in_order =
            x_others.empty() || (x_next < x_end && x_in_order[x_next] < x_others[0]);
        if (is_in_order) return x_in_order[x_next++];
        std::pop_heap(x_others.begin(), x_others.end(), std::greater<>());
        const ReadyOperation first = x_others.back();
        x_others.pop_back();
        return first;
    }

   private:
    static constexpr std::size_t kFirst = 16;

    [[gnu::noinline]] void push_other(Instant when, std::uint32_t operation) {
        x_others.push_back({when, operation});
        std::push_heap(x_others.begin(), x_others.end(), std::greater<>());
    }

    std::vector<ReadyOperation> x_in_order;  ///< From `x_next` to `x_end`; others are of no count.
    std::size_t x_next = 0, x_end = 0;
    std::vector<ReadyOperation> x_others;  ///< A heap.
};

}  // namespace kumi::schedule
