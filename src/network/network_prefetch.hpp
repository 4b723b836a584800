#pragma once

// A network of some size is in no cache, and each event goes from pointer to pointer. What the next
// events will touch is therefore fetched while others are executed, as far as the queue knows them:
// of an event further off its link, of nearer ones step by step what that leads to. The distances
// give each fetch the time of a few events. Nothing here has any effect but on speed.

#include "network/network.hpp"

namespace kumi {
namespace network_prefetch {

inline bool has_transit(const Event& event) {
    return event.key.event_class() == EventClass::kForward ||
           event.key.event_class() == EventClass::kArrival;
}
inline bool is_injection(const Event& event) {
    return event.key.event_class() == EventClass::kInjection;
}

}  // namespace network_prefetch

template <class Sink>
void Network::prefetch(Sink& sink) {
    if (x_queue.has_new_list()) prefetch_first(sink);
    if (const Event* event = x_queue.upcoming(22)) fetch_origin(*event);
    if (const Event* event = x_queue.upcoming(18)) fetch_first_step(*event);
    if (const Event* event = x_queue.upcoming(15)) fetch_transit(*event);
    if (const Event* event = x_queue.upcoming(12)) fetch_next_link(sink, *event);
    if (const Event* event = x_queue.upcoming(9)) fetch_end_of_link(sink, *event);
    if (const Event* event = x_queue.upcoming(7)) tell_of_arrival(sink, *event, 2);
    if (const Event* event = x_queue.upcoming(5)) tell_of_arrival(sink, *event, 1);
    if (const Event* event = x_queue.upcoming(3)) tell_of_arrival(sink, *event, 0);
}

/// All events that `prefetch` would come too late for: each step for all of them at once.
template <class Sink>
void Network::prefetch_first(Sink& sink) const {
    const auto each_up_to = [this](std::uint32_t end, auto&& fetch) {
        for (std::uint32_t distance = 0; distance < end; ++distance) {
            const Event* event = x_queue.upcoming(distance);
            if (event == nullptr) return;
            fetch(*event);
        }
    };
    each_up_to(22, [&](const Event& event) { fetch_origin(event); });
    each_up_to(18, [&](const Event& event) { fetch_first_step(event); });
    each_up_to(15, [&](const Event& event) { fetch_transit(event); });
    each_up_to(12, [&](const Event& event) { fetch_next_link(sink, event); });
    each_up_to(9, [&](const Event& event) { fetch_end_of_link(sink, event); });
    for (const int steps_before : {2, 1, 0}) {
        each_up_to(3 + 2 * static_cast<std::uint32_t>(steps_before),
                   [&](const Event& event) { tell_of_arrival(sink, event, steps_before); });
    }
}

inline void Network::fetch_transit(const Event& event) const {
    if (network_prefetch::has_transit(event)) __builtin_prefetch(&transit_of(event), 1);
}

inline void Network::fetch_origin(const Event& event) const {
    if (network_prefetch::has_transit(event)) {
        __builtin_prefetch(&x_links[event.key.source_id()], 1);
    } else if (network_prefetch::is_injection(event)) {
        __builtin_prefetch(&x_transits.at(static_cast<std::uint32_t>(event.payload)), 1);
        __builtin_prefetch(&x_injections[injection_source(event.payload)], 1);
    }
}

inline void Network::fetch_first_step(const Event& event) const {
    if (network_prefetch::has_transit(event)) {
        __builtin_prefetch(&x_links[event.key.source_id()].in_flight.front(), 1);
    } else if (network_prefetch::is_injection(event)) {
        fetch_link(x_transits.at(static_cast<std::uint32_t>(event.payload)).path[0]);
    }
}

template <class Sink>
void Network::fetch_next_link(Sink& sink, const Event& event) const {
    if (event.key.event_class() == EventClass::kForward) {
        fetch_link(next_link_of(event));
    } else {
        tell_of_arrival(sink, event, 4);
    }
}

template <class Sink>
void Network::fetch_end_of_link(Sink& sink, const Event& event) const {
    if (event.key.event_class() == EventClass::kForward) {
        const Link& link = x_links[next_link_of(event)];
        link.in_flight.prefetch_end();
        link.use.prefetch();
    } else {
        tell_of_arrival(sink, event, 3);
    }
}

template <class Sink>
void Network::tell_of_arrival(Sink& sink, const Event& event, int steps_before) const {
    if constexpr (requires { sink.expect(std::uint64_t{}, steps_before); }) {
        if (event.key.event_class() != EventClass::kArrival) return;
        sink.expect(transit_of(event).cookie, steps_before);
    }
}

inline LinkId Network::next_link_of(const Event& event) const {
    const PacketRun& run = x_links[event.key.source_id()].in_flight.front();
    return x_transits.at(run.transit).path[run.hop + 1U];
}

}  // namespace kumi
