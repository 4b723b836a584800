#pragma once

// A network of some size is in no cache, and each event goes from pointer to pointer. What the next
// events will touch is therefore fetched while others are executed, as far as the queue knows them:
// of events further off what they name, of nearer ones step by step what that leads to. It is done
// for a block of events at a time; the distances give each step the time of a few events. Nothing
// here has any effect but on speed. A part of network.hpp, which includes it at its end.

#include "base/memory/prefetch.hpp"

namespace kumi::network {

/// How many events before its own each step is taken; the last ones tell the sink.
struct PrefetchDistance {
    static constexpr std::uint32_t kNamed = 24;
    static constexpr std::uint32_t kBehind = 16;
    static constexpr std::uint32_t kUse = 12;
    /// `steps_before` of the sink's `expect` is 4 at the first and 0 at the last.
    static constexpr std::uint32_t kTold[5] = {0, 4, 8, 12, 16};
};

template <class Sink>
void Network::prefetch(Sink& sink) {
    using Distance = PrefetchDistance;
    constexpr std::uint32_t kBlock = engine::EventQueue::kBlock;
    // Of a new list all that this would come too late for: each step for all of them at once.
    const bool is_first = x_queue.has_new_list();
    const std::uint32_t count_before = is_first ? Distance::kNamed : 0;
    const auto upcoming = [&](std::uint32_t distance) {
        return is_first ? x_queue.upcoming(0, distance + kBlock) : x_queue.upcoming(distance);
    };
    x_arrivals = is_first ? 0 : x_arrivals >> kBlock;
    std::uint32_t place = Distance::kNamed - count_before;
    for (const engine::Event& event : upcoming(Distance::kNamed)) {
        x_arrivals |= std::uint64_t{event.key.event_class() == engine::EventClass::kArrival}
                      << place++;
        fetch_named(event);
    }
    for (const engine::Event& event : upcoming(Distance::kBehind)) fetch_behind(event);
    for (const engine::Event& event : upcoming(Distance::kUse)) fetch_use(event);
    if constexpr (requires { sink.expect(std::uint64_t{}, 0); }) {
        if (x_arrivals == 0) return;
        for (int steps = 4; steps >= 0; --steps) {
            const std::uint32_t first = is_first ? 0 : Distance::kTold[steps];
            const std::uint32_t end = Distance::kTold[steps] + kBlock;
            std::uint64_t told = (x_arrivals & ((std::uint64_t{1} << end) - 1)) >> first << first;
            for (; told != 0; told &= told - 1) {
                const auto offset = static_cast<std::uint32_t>(std::countr_zero(told));
                const engine::Event& event = x_queue.upcoming(offset, 1)[0];
                sink.expect(x_transits.at(step_transit(event.payload)).cookie, steps);
            }
        }
    }
}

/// What the event itself names: the message, its link, the next link.
inline void Network::fetch_named(const engine::Event& event) const {
    switch (event.key.event_class()) {
        case engine::EventClass::kForward:
            fetch_link(step_next(event.payload));
            [[fallthrough]];
        case engine::EventClass::kArrival:
            prefetch_line(&x_links[event.key.source_id()]);
            return prefetch_line(&x_transits.at(step_transit(event.payload)));
        case engine::EventClass::kInjection:
            prefetch_line(&x_transits.at(static_cast<std::uint32_t>(event.payload)));
            return prefetch_line(&x_injections[injection_source(event.payload)]);
        default:
            return;
    }
}

inline void Network::fetch_behind(const engine::Event& event) const {
    switch (event.key.event_class()) {
        case engine::EventClass::kForward: {
            const LinkId next = step_next(event.payload);
            x_links[next].use.prefetch(x_use_bins);
            x_links[next].in_flight.prefetch_last(x_packets);
            [[fallthrough]];
        }
        case engine::EventClass::kArrival:
            return x_links[event.key.source_id()].in_flight.prefetch_second(x_packets);
        case engine::EventClass::kInjection:
            x_injections[injection_source(event.payload)].prefetch_second(x_waiting);
            return fetch_link(x_transits.at(static_cast<std::uint32_t>(event.payload)).path[0]);
        default:
            return;
    }
}

inline void Network::fetch_use(const engine::Event& event) const {
    if (event.key.event_class() != engine::EventClass::kInjection) return;
    const Transit& transit = x_transits.at(static_cast<std::uint32_t>(event.payload));
    const Link& link = x_links[transit.path[0]];
    link.use.prefetch(x_use_bins);
    link.in_flight.prefetch_last(x_packets);
}

}  // namespace kumi::network
