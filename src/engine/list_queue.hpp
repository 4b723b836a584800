#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/memory/arena.hpp"
#include "base/memory/prefetch.hpp"

namespace kumi::engine {

/// A first-in first-out queue of plain entries that lie in a pool, which is named in every call. Of
/// queues by the million most are empty or short: in a common pool they take as much memory as is
/// in them, and what leaves one queue makes room, in a cache, for what enters another.
///
/// `Entry` has a `std::uint32_t next`, which belongs to the queue.
template <class Entry>
class ListQueue {
    static_assert(std::is_trivially_copyable_v<Entry>);

   public:
    bool empty() const { return x_first == kNone; }

    void push(Pool<Entry>& pool, const Entry& entry) {
        const std::uint32_t index = pool.acquire_raw();
        Entry& added = pool.at(index);
        added = entry;
        added.next = kNone;
        if (empty()) {
            x_first = index;
        } else {
            pool.at(x_last).next = index;
        }
        x_last = index;
    }
    /// The last entry; there must be one.
    Entry& back(Pool<Entry>& pool) { return pool.at(x_last); }
    /// Takes the first entry out; there must be one. It stays as it is until the next push.
    const Entry& take(Pool<Entry>& pool) {
        const std::uint32_t index = x_first;
        const Entry& first = pool.at(index);
        x_first = first.next;
        pool.release(index);
        return first;
    }

    /// Fetches the first entry, or the last, if there are any.
    void prefetch_first(const Pool<Entry>& pool) const {
        if (!empty()) prefetch_line(&pool.at(x_first));
    }
    void prefetch_last(const Pool<Entry>& pool) const {
        if (!empty()) prefetch_line(&pool.at(x_last));
    }

   private:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t x_first = kNone;
    std::uint32_t x_last = 0;
};

}  // namespace kumi::engine
