#pragma once

#include <climits>
#include <cstdint>
#include <utility>

#include "mpi/collectives/arguments.hpp"
#include "mpi/collectives/group_plan.hpp"
#include "mpi/collectives/kind.hpp"
#include "mpi/collectives/operation.hpp"

namespace kumi::mpi::collectives {

/// Answers a call that reduces, unless it is one for the MPI library. Operation, type and count are
/// the same on all ranks.
///
/// @param blocks_of  How many times as many elements as the call counts are reduced on a plan.
/// @param reduce  Carries it out: gets plan, operation and the bytes of what the call counts.
template <class BlocksOf, class Reduce>
Outcome answer_reduction(CollectiveFunction function, const Reduction& call,
                         const BlocksOf& blocks_of, const Reduce& reduce) {
    GroupPlan* plan = call.makes_sense() ? plan_for_call(call.communicator) : nullptr;
    if (plan == nullptr) return chosen(function, CollectiveChoice::kArguments);
    if (plan->choice_in_box() != CollectiveChoice::kScheduled)
        return chosen(function, plan->choice_in_box());
    if (call.receive.count == 0) return chosen(function, CollectiveChoice::kSize);
    const auto operation = Operation::find(call.operation, call.receive.datatype);
    if (!operation) return chosen(function, CollectiveChoice::kOperation);
    if (std::cmp_greater(call.receive.count,
                         INT_MAX / operation->element_bytes() / blocks_of(*plan)))
        return chosen(function, CollectiveChoice::kSize);
    Outcome outcome = chosen(function, CollectiveChoice::kScheduled);
    outcome.error =
        reduce(*plan, *operation,
               static_cast<std::uint64_t>(call.receive.count) * operation->element_bytes());
    return outcome;
}

}  // namespace kumi::mpi::collectives
