// MPI_Allreduce along one dimension after the other, on ranks that fill a box.

#include <array>
#include <cstring>

#include "mpi/collectives/answer.hpp"
#include "mpi/collectives/reduction.hpp"
#include "mpi/collectives/schedule.hpp"

namespace kumi::mpi::collectives {
namespace {

constexpr CollectiveFunction kFunction = CollectiveFunction::kAllreduce;

int reduce(GroupPlan& plan, const Reduction& call, const Operation& operation,
           std::uint64_t bytes) {
    const std::uint64_t unit = operation.element_bytes();
    const kumi::collectives::CutVector whole(bytes, bytes, 1), vector(bytes, unit, plan.size());
    const kumi::collectives::BoxLines& lines = plan.lines();
    // Parts depend on the size of an element.
    const std::array<Way, 2> ways{
        Way{.variant = 0,
            .write =
                [&](kumi::collectives::RankProgram& program) {
                    kumi::collectives::double_sums_in_box(program, lines, whole);
                },
            .sharing = kumi::collectives::sharing_of_double_sums(lines)},
        Way{.variant = unit, .write = [&](kumi::collectives::RankProgram& program) {
                kumi::collectives::reduce_scatter_in_box(program, lines, vector);
                kumi::collectives::gather_in_box(program, lines, vector);
            }}};
    const Schedule schedule = fastest_of(plan, kFunction, bytes, ways);
    VectorData data(schedule.way == &ways[0] ? whole : vector, operation);
    std::memcpy(data.at(0), reinterpret_cast<const void*>(call.vector()), bytes);
    const int error = carry_out(plan, kFunction, schedule, data);
    std::memcpy(reinterpret_cast<void*>(call.receive.address), data.at(0), bytes);
    return error;
}

}  // namespace

Outcome answer_allreduce(const Reduction& call) {
    return answer_reduction(
        kFunction, call, [](const GroupPlan&) { return std::uint32_t{1}; },
        [&](GroupPlan& plan, const Operation& operation, std::uint64_t bytes) {
            return reduce(plan, call, operation, bytes);
        });
}

}  // namespace kumi::mpi::collectives
