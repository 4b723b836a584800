#pragma once

#include <compare>
#include <cstdint>

#include "base/time.hpp"
#include "base/wide_integer.hpp"

namespace kumi {

/// What an event does. At one instant, smaller classes are executed first; the reasons:
///  - What left an interface is told before what arrived: a message is forgotten when it arrives.
///  - Arrivals come before anything that may occupy a link: what a host sends in reaction is then
///    ordered among all injections of that instant by its source, as if it had been sent before.
///  - Packets inside the network come before new ones, as in a switch that never drops.
enum class EventClass : std::uint32_t {
    kDeparture = 0,  ///< The last byte of a message left the source's interface.
    kArrival = 1,    ///< The last byte of a message reached the target host.
    kForward = 2,    ///< A packet's head is ready for an output queue of a switch.
    kInjection = 3,  ///< A message enters the source's interface.
};

/// The total order of events. Field order IS the order of execution: changing it changes every
/// result. Time comes first because causes precede effects; class, source and sequence decide ties
/// by what the event is, never by when or where it was put into the queue.
struct EventKey {
    Instant time;
    EventClass event_class = EventClass::kDeparture;
    std::uint32_t source_id = 0;        ///< Dense id within the class (link or sender).
    std::uint64_t source_sequence = 0;  ///< Per-source counter; makes keys unique.

    constexpr auto operator<=>(const EventKey&) const = default;
};
static_assert(sizeof(EventKey) == 24);

/// Same as `a < b`, written so that the compiler needs one branch instead of four.
constexpr bool precedes(const EventKey& a, const EventKey& b) {
    const auto major = [](const EventKey& key) {
        const auto tie = (static_cast<std::uint64_t>(key.event_class) << 32) | key.source_id;
        return (static_cast<int128>(key.time.ps) << 64) | tie;
    };
    const int128 major_a = major(a);
    const int128 major_b = major(b);
    return major_a < major_b || (major_a == major_b && a.source_sequence < b.source_sequence);
}

/// One entry of the event queue: plain data, half a cache line.
struct Event {
    EventKey key;
    std::uint64_t payload = 0;  ///< Meaning depends on the class.
};
static_assert(sizeof(Event) == 32);

}  // namespace kumi
