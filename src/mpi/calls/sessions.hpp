#pragma once

/// MPI sessions: how virtual time begins and ends in ranks that open one before, or instead of,
/// MPI_Init. See docs/adr/0041-sessions-and-refused-calls.md.
namespace kumi::mpi::sessions {

/// Before the rank's first session, if it has no world: brings the MPI library up, keeps it up with
/// an internal session, and returns when all ranks have come to their MPI_Init or first session.
void begin_virtual_time();

/// The program has opened a session, or closed one.
void note_opened();
void note_closed();

/// Closes the internal session, if there is one: virtual time is over, and the MPI library may
/// end.
void close_own();

}  // namespace kumi::mpi::sessions
