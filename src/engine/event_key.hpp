#pragma once

#include <bit>
#include <compare>
#include <cstdint>

#include "base/time/time.hpp"

namespace kumi::engine {

/// What an event does. At one instant, smaller classes are executed first; the reasons:
///  - Arrivals come before anything that may occupy a link: what a host sends in reaction is then
///    ordered among all injections of that instant by its source, as if it had been sent before.
///  - Packets inside the network come before new ones, as in a switch that never drops.
///  - An output chooses last, among all that has come to it by then.
enum class EventClass : std::uint8_t {
    kArrival = 1,    ///< The last byte of a message reached the target host.
    kForward = 2,    ///< A packet's head is ready for an output queue of a switch.
    kInjection = 3,  ///< A message enters the source's interface.
    kCredit = 4,     ///< A link that waits for room in the buffer behind it learns of some.
    kFront = 5,      ///< The next packet of a buffer comes to its front.
    kHeadReady = 6,  ///< A packet in a finite buffer is ready for its output.
    kArbitrate = 7,  ///< A link chooses what it carries next.
    kWake = 8,       ///< A wake frame asks for a link.
};

/// The total order of events. Field order IS the order of execution: changing it changes every
/// result. Time comes first because causes precede effects; class, source and sequence decide ties
/// by what the event is, never by when or where it was put into the queue.
struct EventKey {
    Instant time{};
    std::uint64_t class_and_source =
        0;                              ///< Class in the upper half: one comparison instead of two.
    std::uint64_t source_sequence = 0;  ///< Per-source counter; makes keys unique.

    /// `source_id` is a dense id within the class (a link, a sender), never a pointer.
    static constexpr EventKey of(Instant time, EventClass event_class, std::uint32_t source_id,
                                 std::uint64_t source_sequence) {
        return {time, (static_cast<std::uint64_t>(event_class) << 32) | source_id, source_sequence};
    }

    constexpr EventClass event_class() const {
        return static_cast<EventClass>(class_and_source >> 32);
    }
    constexpr std::uint32_t source_id() const {
        return static_cast<std::uint32_t>(class_and_source);
    }

    constexpr auto operator<=>(const EventKey&) const = default;
};

/// Same as `a < b`. Most often times differ, or all are equal: both are guessed right by a branch
/// predictor, while the answer itself, which it cannot guess, is left without a branch.
constexpr bool precedes(const EventKey& a, const EventKey& b) {
    if (a.time.ps != b.time.ps) return a.time.ps < b.time.ps;
    if (a.class_and_source != b.class_and_source) return a.class_and_source < b.class_and_source;
    return a.source_sequence < b.source_sequence;
}

/// One entry of the event queue: plain data, half a cache line.
struct Event {
    EventKey key;
    std::uint64_t payload = 0;  ///< Meaning depends on the class.
};
static_assert(sizeof(Event) == 32);

/// Rolling hash of executed events: two runs agree if and only if (but for chance) it agrees.
class EventHash {
   public:
    constexpr void mix(const EventKey& key) {
        // Three products at once, so that each event has but one in the chain of all events.
        mix_word(static_cast<std::uint64_t>(key.time.ps) * 0xbf58476d1ce4e5b9ULL +
                 std::rotl(key.class_and_source * 0x94d049bb133111ebULL, 21) +
                 std::rotl(key.source_sequence * 0xd6e8feb86659fd93ULL, 42));
    }

    /// For whatever else a run executes in a fixed order.
    constexpr void mix_word(std::uint64_t word) {
        // The multiply spreads low bits upwards, the shift brings them down again.
        x_value = (x_value ^ word) * 0x9e3779b97f4a7c15ULL;
        x_value ^= x_value >> 32;
    }

    constexpr std::uint64_t value() const { return x_value; }

   private:
    std::uint64_t x_value = 0x6b756d6968696d6fULL;  // "kumihimo"
};

}  // namespace kumi::engine
