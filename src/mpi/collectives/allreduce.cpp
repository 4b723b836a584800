// MPI_Allreduce along one dimension after the other, on ranks that fill a box.

#include <array>
#include <climits>
#include <cstring>
#include <utility>

#include "mpi/collectives/answer.hpp"
#include "mpi/collectives/group_plan.hpp"
#include "mpi/collectives/schedule.hpp"

namespace kumi::mpi::collectives {
namespace {

constexpr CollectiveFunction kFunction = CollectiveFunction::kAllreduce;

int reduce(GroupPlan& plan, const Reduction& call, const Operation& operation,
           std::uint64_t bytes) {
    const std::uint64_t unit = operation.element_bytes();
    const CutVector whole(bytes, bytes, 1), vector(bytes, unit, plan.size());
    const BoxLines& lines = plan.lines();
    // Parts depend on the size of an element.
    const std::array<Way, 2> ways{
        Way{.variant = 0,
            .write = [&](RankProgram& program) { double_sums_in_box(program, lines, whole); },
            .sharing = sharing_of_double_sums(lines)},
        Way{.variant = unit, .write = [&](RankProgram& program) {
                reduce_scatter_in_box(program, lines, vector);
                gather_in_box(program, lines, vector);
            }}};
    const Schedule schedule = fastest_of(plan, kFunction, bytes, ways);
    VectorData data(schedule.way == &ways[0] ? whole : vector, operation);
    std::memcpy(data.at(0), reinterpret_cast<const void*>(call.vector()), bytes);
    const int error = carry_out(plan, kFunction, schedule, data);
    std::memcpy(reinterpret_cast<void*>(call.receive.address), data.at(0), bytes);
    return error;
}

}  // namespace

// Operation, type and count are the same on all ranks.
Outcome answer_allreduce(const Reduction& call) {
    GroupPlan* plan = call.makes_sense() ? plan_of(call.communicator) : nullptr;
    if (plan == nullptr) return chosen(kFunction, CollectiveChoice::kArguments);
    if (plan->choice_in_box() != CollectiveChoice::kScheduled)
        return chosen(kFunction, plan->choice_in_box());
    if (call.receive.count == 0) return chosen(kFunction, CollectiveChoice::kSize);
    const auto operation = Operation::find(call.operation, call.receive.datatype);
    if (!operation) return chosen(kFunction, CollectiveChoice::kOperation);
    if (std::cmp_greater(call.receive.count, INT_MAX / operation->element_bytes()))
        return chosen(kFunction, CollectiveChoice::kSize);
    Outcome outcome = chosen(kFunction, CollectiveChoice::kScheduled);
    outcome.error =
        reduce(*plan, call, *operation,
               static_cast<std::uint64_t>(call.receive.count) * operation->element_bytes());
    return outcome;
}

}  // namespace kumi::mpi::collectives
