// MPI_Barrier: a common start is one.

#include "mpi/collectives/answer.hpp"
#include "mpi/collectives/group_plan.hpp"

namespace kumi::mpi::collectives {

Outcome answer_barrier(Word communicator) {
    constexpr CollectiveFunction kFunction = CollectiveFunction::kBarrier;
    GroupPlan* plan = plan_for_call(communicator);
    if (plan == nullptr) return chosen(kFunction, kArguments);
    Outcome outcome = chosen(kFunction, plan->choice());
    if (outcome.choice == kScheduled) outcome.error = plan->start_together();
    return outcome;
}

}  // namespace kumi::mpi::collectives
