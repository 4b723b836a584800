#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/time/time.hpp"
#include "mpi/wake/call_pattern.hpp"

namespace kumi::mpi::wake {

/// The marked places of a program at which wake-ups are decided.
///
/// A place in a loop is reached some iterations before the loop's end. How many is decided here,
/// anew before each run of the loop, so that the time that is left is what the wake frames need.
/// The time that is recorded for such a place is that at which the loop will end: like this it
/// stays comparable when the number of iterations changes.
class Places {
   public:
    /// Something of the program's that stands for the place.
    using Key = const void*;

    /// A loop begins, with `trips` iterations to come; negative if unknown, then the last
    /// time's count. Returns before which iteration, from 0, the place is.
    std::int64_t begin_loop(Key place, std::int64_t trips, Instant now);
    /// A loop whose number of iterations was not known had `trips`.
    void end_loop(Key place, std::int64_t trips);

    /// The place is reached. Returns how far ahead of the time to record.
    Duration pass(Key place, Instant now);
    /// Wake frames would have had to leave `needed` before the time that was recorded.
    void need(Key place, Duration needed);

    /// As `pass` returned the last time; nothing for an event that is no place.
    Duration ahead(EventId id) const;
    static EventId event(Key place) {
        return joined(kPlaces, reinterpret_cast<std::uintptr_t>(place));
    }

   private:
    static constexpr EventId kPlaces = 0x706c616365;

    struct State {
        Instant loop_began;
        std::int64_t trips = 0;
        std::int64_t at = 0;  ///< The iteration before which the place is.
        std::int64_t last_trips = 0;
        Duration iteration;  ///< As observed.
        Duration needed;
        Duration ahead;
    };

    std::unordered_map<EventId, State> x_states;
};

}  // namespace kumi::mpi::wake
