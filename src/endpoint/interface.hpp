#pragma once

#include <cstdint>

#include "base/time/time.hpp"

namespace kumi::endpoint {

/// A network interface that matches messages by itself does one thing after the other: each
/// arriving message, and each receive that its rank posts, in the order in which they come.
///
/// The caller passes all of that in the order of time: a receive that is posted at some instant
/// comes behind all messages that have arrived before.
struct InterfaceTimeLine {
    Instant free{};  ///< The interface has done all that it has to do.

    /// What comes at `when` takes `span`. Returns when that is over.
    Instant work(Instant when, Duration span) {
        free = later(free, when) + span;
        return free;
    }
};

/// What has ended at the interface and was not taken by its rank yet. Two kinds, of which each ends
/// in the order in which it is added.
enum class Delivery : std::uint8_t {
    kMatched = 0,  ///< A message that came whole has met its receive: at an end of work.
    kArrived =
        1,  ///< A payload or an answer, for which the interface need not look: at an arrival.
};

/// Deliveries of one rank, by the instant at which they ended; of two that ended at once, the one
/// that was matched comes first. Plain data; a delivery is a number in `Items`, with
///   Instant delivered_at(std::uint32_t), std::uint32_t& next_delivery(std::uint32_t).
struct Deliveries {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    bool empty() const { return x_first[0] == kNone && x_first[1] == kNone; }

    /// It has ended not before those of its kind that are in here.
    template <class Items>
    void add(Items& items, std::uint32_t number, Delivery kind) {
        const auto list = static_cast<std::uint8_t>(kind);
        items.next_delivery(number) = kNone;
        (x_first[list] == kNone ? x_first[list] : items.next_delivery(x_last[list])) = number;
        x_last[list] = number;
    }
    /// When the next one has ended; kNever if there is none.
    template <class Items>
    Instant next_at(const Items& items) const {
        return earlier(at(items, 0), at(items, 1));
    }
    /// Takes the next one out; there must be one.
    template <class Items>
    std::uint32_t take(Items& items) {
        const int list = at(items, 1) < at(items, 0) ? 1 : 0;
        const std::uint32_t number = x_first[list];
        x_first[list] = items.next_delivery(number);
        return number;
    }

   private:
    template <class Items>
    Instant at(const Items& items, int list) const {
        return x_first[list] == kNone ? kNever : items.delivered_at(x_first[list]);
    }

    std::uint32_t x_first[2] = {kNone, kNone};
    std::uint32_t x_last[2] = {kNone, kNone};
};

}  // namespace kumi::endpoint
