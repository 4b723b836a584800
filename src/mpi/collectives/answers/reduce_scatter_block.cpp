// MPI_Reduce_scatter_block along one dimension after the other, on ranks that fill a box.

#include <array>
#include <cstring>

#include "mpi/collectives/answer.hpp"
#include "mpi/collectives/reduction.hpp"
#include "mpi/collectives/schedule.hpp"

namespace kumi::mpi::collectives {
namespace {

constexpr CollectiveFunction kFunction = CollectiveFunction::kReduceScatterBlock;

int reduce(GroupPlan& plan, const Reduction& call, const Operation& operation,
           std::uint64_t block_bytes) {
    const std::uint64_t bytes = block_bytes * plan.size();
    const kumi::collectives::CutVector whole(bytes, bytes, 1),
        vector(bytes, block_bytes, plan.size());
    const kumi::collectives::BoxLines& lines = plan.lines();
    const std::array<Way, 2> ways{
        Way{.variant = 0,
            .write =
                [&](kumi::collectives::RankProgram& program) {
                    kumi::collectives::double_sums_in_box(program, lines, whole);
                },
            .sharing = kumi::collectives::sharing_of_double_sums(lines)},
        Way{.variant = 1, .write = [&](kumi::collectives::RankProgram& program) {
                kumi::collectives::reduce_scatter_in_box(program, lines, vector);
            }}};
    const Schedule schedule = fastest_of(plan, kFunction, block_bytes, ways);
    VectorData data(schedule.way == &ways[0] ? whole : vector, operation);
    const auto* from = reinterpret_cast<const std::byte*>(call.vector());
    for (std::uint32_t place = 0; place < plan.size(); ++place)
        std::memcpy(data.at(0) + place * block_bytes, from + plan.member_at(place) * block_bytes,
                    block_bytes);
    const int error = carry_out(plan, kFunction, schedule, data);
    std::memcpy(reinterpret_cast<void*>(call.receive.address),
                data.at(0) + plan.place() * block_bytes, block_bytes);
    return error;
}

}  // namespace

Outcome answer_reduce_scatter_block(const Reduction& call) {
    return answer_reduction(
        kFunction, call, [](const GroupPlan& plan) { return plan.size(); },
        [&](GroupPlan& plan, const Operation& operation, std::uint64_t bytes) {
            return reduce(plan, call, operation, bytes);
        });
}

}  // namespace kumi::mpi::collectives
