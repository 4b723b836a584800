#pragma once

#include <cstdint>

#include "engine/event_key.hpp"

namespace kumi::engine {

/// Sorts events by their keys. Events that others caused in their order, one delay later, are in
/// order again: what consists of a few ascending runs is merged, O(count x log(runs)). Many events
/// of one time and class are sorted by the digits of their sources. `scratch` has room for `count`
/// events, `words` for twice as many. The sorted events are where the result points: at `events` or
/// at `scratch`.
Event* sort_events(Event* events, std::uint32_t count, Event* scratch, std::uint64_t* words);

}  // namespace kumi::engine
