#pragma once

#include "base/collective_call.hpp"
#include "mpi/run_link.hpp"

namespace kumi::mpi::collectives {

/// What became of a call.
struct Outcome {
    CollectiveFunction function{};
    CollectiveChoice choice{};
    int error = 0;  ///< Of MPI's, if the call was scheduled.
};

/// The call begins, with this choice. It may change until the call ends.
inline Outcome chosen(CollectiveFunction function, CollectiveChoice choice) {
    run_link::note_collective(function, choice, /*begins=*/true);
    return {.function = function, .choice = choice};
}

}  // namespace kumi::mpi::collectives
