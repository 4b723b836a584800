#pragma once

#include "conductor/segment/state.hpp"

/// Requests that are completed by something that is no message: generalized ones, by another thread
/// or by what a function of the program's finds when it is polled. That happens in real time. While
/// there are such requests, ranks that wait look for them every now and then, and nothing is a
/// deadlock: whether they are completed is not known here.
namespace kumi::conductor {

/// Lets blocked ranks with such requests look, if they have not for a while.
void look_outside(ConductorState& state);

/// Nothing else can go on: sleeps for a moment in real time and lets those ranks look. False if
/// none has such requests.
bool wait_outside(ConductorState& state);

/// Whether it is time to look.
bool is_time_to_look_outside(const ConductorState& state);

}  // namespace kumi::conductor
