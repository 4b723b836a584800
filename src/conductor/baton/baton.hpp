#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// Hands the baton to the rank that is next in virtual time and returns when it is back.
///
/// The caller holds it and has said by its status what it waits for: kRunnable (it is in the run
/// queue: it goes on when no other rank has a smaller clock), kBlocked (it goes on when something
/// has arrived for it) or kFinishing. Events are executed on the way, each only when no runnable
/// rank has a clock at or before it, so that nothing can still be sent into an event's past. If
/// nothing can ever go on, the run is condemned as a deadlock.
void pass_baton(ConductorState& state, std::uint32_t rank);

/// Waits until the baton is handed to this rank.
void await_baton(ConductorState& state, std::uint32_t rank);

/// On several cores, processes compute in parallel without the baton, and so do their MPI libraries
/// while they run ahead: such a process is *away*. Its next operation is not known until it is
/// back. Unless the rank has deferred operations before its clock, nothing at or after that clock
/// happens meanwhile.
///
/// The process goes away. `for_long`: another one may go on for that on a free core.
void go_away(ConductorState& state, std::uint32_t rank, bool for_long);
/// The process computes for longer than was known, whether it is away or not: another one goes on,
/// on the same core if no other is free. Does nothing if none can.
void give_way(ConductorState& state, std::uint32_t rank);
/// It comes back: waits until no process has the baton.
void come_back(ConductorState& state, std::uint32_t rank);

/// Called by the last rank to join: all clocks are at 0, the first rank gets the baton.
void start_virtual_time(ConductorState& state);

/// The rank has finished: it gives up the baton and returns when all ranks have and nothing is on
/// its way any more. Virtual time is over then.
void finish_virtual_time(ConductorState& state, std::uint32_t rank);

/// Waits until the launcher ends this process: the run has been condemned.
[[noreturn]] void wait_for_the_end();

}  // namespace kumi::conductor
