#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "mpi/clocks/rank_stage.hpp"

/// What the threads of the program compute, and how much of the rank's time that takes.
///
/// The rank's clock goes by what its own thread computes. The others count where all threads come
/// together: at the beginning and the end of an MPI call, of a parallel region of OpenMP, and where
/// the rank looks at a clock and no other thread can be computing. From one such instant to the
/// next the rank takes as long as each thread has computed, and as its cores need for the sum. What
/// threads do while the rank is in MPI costs it only what the call has not covered.
///
/// Computing is CPU time, counted work, or what the program says (kumi_compute_seconds), by the
/// run's compute mode. A process whose program makes no threads pays one look at a flag.
namespace kumi::mpi::thread_work {

/// Virtual time begins: what was computed before does not count.
void begin();

/// The calling thread is one of the program's, from now on, and no longer. Those of a team are
/// waited for at the end of each parallel region.
void begin_thread(bool is_of_team);
void end_thread();
/// Whether it is.
bool is_thread();

/// The program makes its first thread.
void open();
/// Threads that the program makes, and for whose end it has waited: in between they may compute at
/// any time, other than those of teams.
void note_made();
void note_joined();

/// The calling thread says that it computes for `span`: one that is not the rank's, and the rank's,
/// whose clock has moved by that.
void say(Duration span);
void note_said(Duration span);
/// The calling thread, not the rank's, has slept.
void note_slept(Duration span);
/// What the calling thread, not the rank's, has computed since it asked last.
std::int64_t take_own_ns();
/// All that it had computed then.
std::int64_t own_total_ns();

/// The rank's thread outside of MPI has slept, or has moved the rank's clock in another way.
void note_moved(Duration span);
/// The rank computes for as long as it waits for a thread that does.
void wait_for_computing(Duration span);

/// All threads come together, and the rank's clock moves on by what they have computed.
void meet();
/// The same, if the calling thread spends the rank's time and no other can be computing.
void meet_if_alone();
/// As `meet`, where the calling thread becomes the rank's, of which it has not been until now.
void meet_at_take_over();
/// An MPI call of the rank's ends.
void depart();

/// A parallel region of OpenMP begins and ends in the calling thread.
void begin_region();
void end_region();

}  // namespace kumi::mpi::thread_work
