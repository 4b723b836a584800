#pragma once

namespace kumi::mpi {

/// Whether this process is a seed: it is loaded once, and each rank is a copy of it. See
/// src/launch/processes/seed.hpp.
bool is_seed();

/// Serves the launcher. Returns in each rank, as if that had just been loaded; in the seed itself,
/// only if it is unfit, and then it has ended: never.
void become_ranks();

}  // namespace kumi::mpi
