#pragma once

#include <cstdint>

#include "engine/event_key.hpp"
#include "engine/queues.hpp"

namespace kumi::network {

/// A message that will enter its source's interface.
struct Injection {
    engine::EventKey key;
    std::uint32_t transit = 0;
    std::uint32_t next = 0;  ///< In a queue.
};
/// Those of all hosts.
using InjectionPool = Pool<Injection>;

/// The injections of one host, in their order. The first of them is an event and need not be kept;
/// the others lie in a pool that all hosts share. One cache line.
class alignas(64) InjectionQueue {
   public:
    bool empty() const { return !x_has_first; }
    /// Whether an injection of this key comes behind all others.
    bool accepts(const engine::EventKey& key) const {
        return empty() || engine::precedes(x_last, key);
    }

    /// Only for what it accepts. Returns whether it is the first, and becomes an event.
    bool push(InjectionPool& pool, const Injection& injection) {
        x_last = injection.key;
        if (x_has_first) {
            x_rest.push(pool, injection);
            return false;
        }
        return x_has_first = true;
    }
    /// The first one has happened. Returns false if there is no other; else `next` is the first
    /// now, and becomes an event.
    bool pop(InjectionPool& pool, Injection& next) {
        x_has_first = !x_rest.empty();
        if (x_has_first) next = x_rest.take(pool);
        return x_has_first;
    }

    /// For fetching memory in advance: the one behind the first.
    void prefetch_second(const InjectionPool& pool) const { x_rest.prefetch_first(pool); }

   private:
    engine::EventKey x_last;
    engine::ListQueue<Injection> x_rest;
    bool x_has_first = false;
};

}  // namespace kumi::network
