#pragma once

// A network of some size is in no cache, and each event goes from pointer to pointer. What the next
// events will touch is therefore fetched while others are executed, as far as the queue knows them:
// of events further off what they name, of nearer ones step by step what that leads to. It is done
// for a block of events at a time; the distances give each step the time of a few events. Nothing
// here has any effect but on speed.

#include "base/prefetch.hpp"
#include "network/network.hpp"

namespace kumi {

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
    if (x_queue.has_new_list()) return prefetch_first(sink);
    for (const Event& event : x_queue.upcoming(Distance::kNamed)) fetch_named(event);
    for (const Event& event : x_queue.upcoming(Distance::kBehind)) fetch_behind(event);
    for (const Event& event : x_queue.upcoming(Distance::kUse)) fetch_use(event);
    for (int steps = 4; steps >= 0; --steps) {
        for (const Event& event : x_queue.upcoming(Distance::kTold[steps])) {
            tell_of_arrival(sink, event, steps);
        }
    }
}

/// All events that `prefetch` would come too late for: each step for all of them at once.
template <class Sink>
void Network::prefetch_first(Sink& sink) const {
    using Distance = PrefetchDistance;
    const auto first = [this](std::uint32_t distance) {
        return x_queue.upcoming(0, distance + EventQueue::kBlock);
    };
    for (const Event& event : first(Distance::kNamed)) fetch_named(event);
    for (const Event& event : first(Distance::kBehind)) fetch_behind(event);
    for (const Event& event : first(Distance::kUse)) fetch_use(event);
    for (int steps = 4; steps >= 0; --steps) {
        for (const Event& event : first(Distance::kTold[steps])) {
            tell_of_arrival(sink, event, steps);
        }
    }
}

/// What the event itself names: the message, its link, the next link.
inline void Network::fetch_named(const Event& event) const {
    switch (event.key.event_class()) {
        case EventClass::kForward:
            fetch_link(step_next(event.payload));
            [[fallthrough]];
        case EventClass::kArrival:
            prefetch_line(&x_links[event.key.source_id()]);
            return prefetch_line(&x_transits.at(step_transit(event.payload)));
        case EventClass::kInjection:
            prefetch_line(&x_transits.at(static_cast<std::uint32_t>(event.payload)));
            return prefetch_line(&x_injections[injection_source(event.payload)]);
        default:
            return;
    }
}

inline void Network::fetch_behind(const Event& event) const {
    switch (event.key.event_class()) {
        case EventClass::kForward: {
            const Link& next = x_links[step_next(event.payload)];
            next.use.prefetch();
            next.in_flight.prefetch_rest();
            [[fallthrough]];
        }
        case EventClass::kArrival:
            return x_links[event.key.source_id()].in_flight.prefetch_rest();
        case EventClass::kInjection:
            x_injections[injection_source(event.payload)].prefetch_second();
            return fetch_link(x_transits.at(static_cast<std::uint32_t>(event.payload)).path[0]);
        default:
            return;
    }
}

inline void Network::fetch_use(const Event& event) const {
    switch (event.key.event_class()) {
        case EventClass::kForward:
            x_links[step_next(event.payload)].in_flight.prefetch_packets();
            [[fallthrough]];
        case EventClass::kArrival:
            return x_links[event.key.source_id()].in_flight.prefetch_packets();
        case EventClass::kInjection: {
            const Transit& transit = x_transits.at(static_cast<std::uint32_t>(event.payload));
            const Link& link = x_links[transit.path[0]];
            link.in_flight.prefetch_rest();
            return link.use.prefetch();
        }
        default:
            return;
    }
}

template <class Sink>
void Network::tell_of_arrival(Sink& sink, const Event& event, int steps_before) const {
    if constexpr (requires { sink.expect(std::uint64_t{}, steps_before); }) {
        if (event.key.event_class() != EventClass::kArrival) return;
        sink.expect(x_transits.at(step_transit(event.payload)).cookie, steps_before);
    }
}

}  // namespace kumi
