#include "mpi/wake/places.hpp"

#include <algorithm>

namespace kumi::mpi::wake {
namespace {

/// Of what is needed: the place is that much earlier, because its iterations are whole ones, and
/// what takes longer now and then must not be late. A timer makes up for it.
constexpr std::int64_t kReserveShare = 8;

}  // namespace

std::int64_t Places::begin_loop(Key place, std::int64_t trips, Instant now) {
    State& state = x_states[event(place)];
    state.loop_began = now;
    state.trips = trips >= 0 ? trips : state.last_trips;
    const Duration needed = state.needed + Duration{state.needed.ps / kReserveShare};
    // At least one: the part of the loop behind the place is never empty.
    const std::int64_t left = state.iteration.ps > 0 ? needed.ps / state.iteration.ps + 1 : 1;
    state.at = std::max<std::int64_t>(state.trips - left, 0);
    return state.at;
}

void Places::end_loop(Key place, std::int64_t trips) { x_states[event(place)].last_trips = trips; }

Duration Places::pass(Key place, Instant now) {
    State& state = x_states[event(place)];
    if (state.at > 0) state.iteration = Duration{(now - state.loop_began).ps / state.at};
    state.ahead = state.iteration * (state.trips - state.at);
    return state.ahead;
}

void Places::need(Key place, Duration needed) {
    x_states[event(place)].needed = std::max(needed, Duration{});
}

Duration Places::ahead(EventId id) const {
    const auto found = x_states.find(id);
    return found == x_states.end() ? Duration{} : found->second.ahead;
}

}  // namespace kumi::mpi::wake
