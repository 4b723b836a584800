#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/time/time.hpp"

/// What a rank does between MPI calls, learned from what it did.
///
/// An *event* is something at which wake-ups can be decided: the end of an MPI call, or a place
/// that the compiler or the programmer marked. Between an event and the next one the rank sends
/// messages. Programs repeat themselves, so the events before tell which one comes next, when, and
/// what is sent on the way [Dickov14].
namespace kumi::mpi::wake {

/// Identifies events: the place in the program, and for calls the targets.
using EventId = std::uint64_t;

/// Joins what makes an event into one number.
constexpr EventId joined(EventId id, std::uint64_t part) {
    std::uint64_t mixed = (id ^ part) * 0x9e3779b97f4a7c15ULL;
    mixed ^= mixed >> 29;
    return mixed * 0xbf58476d1ce4e5b9ULL + 1;
}

/// The end of a call, by the addresses to which it returns and of its name. These are mixed one
/// after the other: two callers may differ from each other as two names do.
constexpr EventId call_event(std::uint64_t caller, std::uint64_t name) {
    constexpr EventId kCalls = 0x63616c6c;
    return joined(joined(kCalls, caller), name);
}

/// Messages to one rank on the way from one event to the next.
struct Departure {
    std::uint32_t target = 0;
    std::uint32_t messages = 0;
    std::uint32_t requests = 0;  ///< Of these: data that the target fetches follow.
    Duration first;              ///< Since the event before.
    Duration last;               ///< The last of them, likewise.
};

/// The last few values of a span of time.
class RecentSpans {
   public:
    void add(Duration span) {
        x_spans[x_next] = span;
        x_next = (x_next + 1) % kRecent;
        if (x_count < kRecent) ++x_count;
    }
    Duration least() const;
    Duration most() const;
    /// By how much they differ.
    Duration spread() const { return most() - least(); }
    /// Whether there have been enough for that to say anything.
    bool is_known() const { return x_count == kRecent; }

   private:
    static constexpr std::size_t kRecent = 4;
    std::array<Duration, kRecent> x_spans{};
    std::size_t x_next = 0;
    std::size_t x_count = 0;
};

/// From one event to the next, as it went the last times.
struct Step {
    struct Messages {
        std::uint32_t target = 0;
        std::uint32_t count = 0;
        std::uint32_t requests = 0;  ///< Of these.
        RecentSpans first{};         ///< Since the event before.
        Duration length{};           ///< From the first to the last, the last time.
    };

    EventId next = 0;
    /// How often it was right, less how often wrong, within bounds.
    int confidence = 0;
    RecentSpans duration;
    std::vector<Messages> messages;
};

/// The events before, as far back as anything is made of them.
class History {
   public:
    /// How many events a context is made of; longer ones are asked first. Loops that are run a few
    /// dozen times with a few calls inside still fit into the longest.
    static constexpr std::array<std::size_t, 10> kOrders = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
    using Contexts = std::array<std::uint64_t, kOrders.size()>;
    /// Number of events that may be added on trial.
    static constexpr std::size_t kMostTried = 256;

    void add(EventId id);
    /// One number for the last events of each order.
    Contexts contexts() const;

    std::size_t length() const { return x_length; }
    /// Takes back what was added since the length was that.
    void shorten_to(std::size_t length) { x_length = length; }

   private:
    static constexpr std::size_t kKept = 1024;
    static_assert(kOrders.back() + kMostTried < kKept);

    /// The hash of everything up to each event: two of them tell the hash of what is in between.
    std::array<std::uint64_t, kKept> x_hashes{};
    std::size_t x_length = 0;
};

class CallPattern {
   public:
    /// An event has happened, `since` after the one before, and these messages left on the way. An
    /// id must name the targets in their order, where there are any.
    void record(EventId id, Duration since, std::span<const Departure> departures);

    /// What is to be expected after `history`; null if nothing like it has been seen.
    const Step* after(const History& history) const;

    /// What has happened. A look ahead may add to it, and must shorten it again.
    History& history() { return x_history; }

   private:
    /// Where a program never repeats itself, it starts anew at this size: some 20 MB.
    static constexpr std::size_t kMostSteps = 1 << 16;

    History x_history;
    std::unordered_map<std::uint64_t, Step> x_steps;
};

}  // namespace kumi::mpi::wake
