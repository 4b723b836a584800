// MPI_Barrier: a common start is one.

#include "mpi/collectives/calls.hpp"
#include "mpi/collectives/group_plan.hpp"

namespace kumi::mpi::collectives {

detail::Outcome detail::answer(const Barrier& call) {
    constexpr CollectiveFunction kFunction = CollectiveFunction::kBarrier;
    GroupPlan* plan = plan_of(call.communicator);
    Outcome outcome{.function = kFunction, .choice = CollectiveChoice::kArguments};
    if (plan != nullptr) outcome.choice = plan->choice();
    run_link::note_collective(kFunction, outcome.choice, /*begins=*/true);
    if (outcome.choice == CollectiveChoice::kScheduled) outcome.error = plan->start_together();
    return outcome;
}

}  // namespace kumi::mpi::collectives
