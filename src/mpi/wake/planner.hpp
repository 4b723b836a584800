#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "base/time/time.hpp"
#include "conductor/port/wake_request.hpp"
#include "mpi/wake/call_pattern.hpp"
#include "mpi/wake/wake_list.hpp"

namespace kumi::mpi::wake {

/// What one plan says.
struct Plan {
    std::vector<conductor::WakeRequest> wakes;
    /// How long after the event the earliest of the wake frames must leave that could not wait for
    /// a later event; negative if that was before the event. Only if there are such.
    Duration earliest;
    bool has_earliest = false;
};

/// Decides at each event which messages are woken for.
///
/// A wake is decided as late as is possible, for time that has passed needs no prediction: a
/// message waits for the next event, unless its wake frame would leave too late then.
class Planner {
   public:
    /// Known from the network: how long before data its wake frame must leave, for each target.
    using Lead = std::function<Duration(std::uint32_t)>;
    /// How long before the time that is recorded for it an event happens; see Places.
    using Ahead = std::function<Duration(EventId)>;

    /// Links that are idle for less than `shortest_sleep` save nothing by sleeping.
    Planner(Lead lead, Duration shortest_sleep, Ahead ahead)
        : x_lead(std::move(lead)),
          x_ahead(std::move(ahead)),
          x_shortest_sleep(shortest_sleep),
          x_list(shortest_sleep) {}

    /// An event has happened, as CallPattern records it. What was decided for the time after it
    /// stays, if it was expected.
    void pass(EventId id, Duration since, std::span<const Departure> departures);

    /// What to do after the last event of `pattern`; it happened `ahead` before its recorded time.
    Plan plan(CallPattern& pattern, Duration ahead);

   private:
    /// What has been asked for a message, since the last event.
    struct Asked {
        Duration leaves;  ///< When its wake frame does.
        Duration until;   ///< How long links stay awake; kUndecided if nothing has been asked for.
    };
    /// That for each message of a step. (A type of our own: what the standard library makes of
    /// its own types alone would be exported.)
    struct Decided {
        std::vector<Asked> asked;
    };

    /// How far a look ahead has come, since the last event.
    struct Future {
        Duration least;         ///< Until the step begins.
        Duration spread;        ///< By how much it was later at most.
        Duration next_event;    ///< When the next event happens.
        Duration awake_until;   ///< The last message so far that links are woken for.
        bool can_wait = false;  ///< Whether the step begins after the next event.
        bool is_known = true;   ///< Whether it went that way often enough for times to be trusted.
    };

    /// Decides all that cannot wait for a later event. If the doorbell `is_rung` anyway, also what
    /// would ring it again soon, or before links could sleep for any time.
    void look_ahead(CallPattern& pattern, Duration ahead, bool is_rung, Plan& plan);
    bool looks_further(const Future& future, bool is_rung) const;
    /// Whether what was asked for is enough for data that leave then.
    static bool is_served(const Asked& asked, Duration leaves, Duration needed, Duration ahead);
    void plan_step(const Step& step, Future& future, Decided& decided, Duration ahead, bool is_rung,
                   Plan& plan);

    void keep_awake(Plan& plan);

    Lead x_lead;
    Ahead x_ahead;
    Duration x_shortest_sleep;
    Duration x_longest_lead;
    EventId x_expected = 0;
    bool x_was_wrong = false;             ///< Whether something else has happened.
    Duration x_awake_for;                 ///< How long recent targets are still kept awake.
    std::vector<std::uint32_t> x_recent;  ///< Targets, the last one last.
    std::deque<Decided> x_decided;        ///< For the steps to come.
    WakeList x_list;                      ///< Of the present plan.
};

}  // namespace kumi::mpi::wake
