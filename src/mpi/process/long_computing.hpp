#pragma once

namespace kumi::mpi {

/// From now on, SIGURG makes the rank's thread give way while it computes outside of MPI: other
/// ranks go on at the same time. The launcher sends it to a rank that has computed for long, so
/// that one that never calls MPI again does not keep others from aborting the run.
///
/// By default the system ignores this signal. A program that handles it itself keeps its handler,
/// and does not give way.
void give_way_on_signal();

}  // namespace kumi::mpi
