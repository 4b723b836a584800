// MPI_Allreduce and MPI_Reduce_scatter_block along one dimension after the other, on ranks that
// fill a box.

#include <array>
#include <climits>
#include <cstring>
#include <utility>

#include "mpi/collectives/answer.hpp"
#include "mpi/collectives/group_plan.hpp"
#include "mpi/collectives/operation.hpp"
#include "mpi/collectives/schedule.hpp"

namespace kumi::mpi::collectives {

using namespace kumi::collectives;
namespace {

/// Reduces a vector as a whole, or where that is faster, cut into parts, of which each rank gets
/// one, or all if the ranks `gather` them. Before that `fill(bytes)` puts in what the rank has, and
/// then `take(bytes)` takes what it gets.
template <class Fill, class Take>
int reduce(GroupPlan& plan, CollectiveFunction function, const Operation& operation,
           std::uint64_t counted_bytes, const CutVector& vector, bool gather, const Fill& fill,
           const Take& take) {
    const CutVector whole(vector.total_bytes(), vector.total_bytes(), 1);
    const BoxLines& lines = plan.lines();
    // Parts of what is gathered depend on the size of an element.
    const std::array<Way, 2> ways{
        Way{.variant = 0,
            .sharing = sharing_of_double_sums(lines),
            .write = [&](RankProgram& program) { double_sums_in_box(program, lines, whole); }},
        Way{.variant = gather ? operation.element_bytes() : 1, .write = [&](RankProgram& program) {
                reduce_scatter_in_box(program, lines, vector);
                if (gather) gather_in_box(program, lines, vector);
            }}};
    const Schedule schedule = fastest_of(plan, function, counted_bytes, ways);
    VectorData data(schedule.way == &ways[0] ? whole : vector, operation);
    fill(data.at(0));
    const int error = carry_out(plan, function, schedule, data);
    take(data.at(0));
    return error;
}

/// Answers a call that reduces, unless it is one for the MPI library. Operation, type and count are
/// the same on all ranks.
///
/// @param blocks_of  How many times as many elements as the call counts are reduced on a plan.
/// @param reduce  Carries it out: gets plan, operation and the bytes of what the call counts.
template <class BlocksOf, class Reduce>
Outcome answer_reduction(CollectiveFunction function, const Reduction& call,
                         const BlocksOf& blocks_of, const Reduce& reduce) {
    GroupPlan* plan = call.makes_sense() ? plan_for_call(call.communicator) : nullptr;
    if (plan == nullptr) return chosen(function, kArguments);
    if (plan->choice_in_box() != kScheduled) return chosen(function, plan->choice_in_box());
    if (call.receive.count == 0) return chosen(function, kSize);
    const auto operation = Operation::find(call.operation, call.receive.datatype);
    if (!operation) return chosen(function, kOperation);
    if (std::cmp_greater(call.receive.count,
                         INT_MAX / operation->element_bytes() / blocks_of(*plan)))
        return chosen(function, kSize);
    Outcome outcome = chosen(function, kScheduled);
    outcome.error =
        reduce(*plan, *operation,
               static_cast<std::uint64_t>(call.receive.count) * operation->element_bytes());
    return outcome;
}

}  // namespace

Outcome answer_allreduce(const Reduction& call) {
    constexpr CollectiveFunction kFunction = CollectiveFunction::kAllreduce;
    return answer_reduction(
        kFunction, call, [](const GroupPlan&) { return std::uint32_t{1}; },
        [&](GroupPlan& plan, const Operation& operation, std::uint64_t bytes) {
            return reduce(
                plan, kFunction, operation, bytes,
                CutVector(bytes, operation.element_bytes(), plan.size()), /*gather=*/true,
                [&](std::byte* into) {
                    std::memcpy(into, reinterpret_cast<const void*>(call.vector()), bytes);
                },
                [&](const std::byte* from) {
                    std::memcpy(reinterpret_cast<void*>(call.receive.address), from, bytes);
                });
        });
}

Outcome answer_reduce_scatter_block(const Reduction& call) {
    constexpr CollectiveFunction kFunction = CollectiveFunction::kReduceScatterBlock;
    return answer_reduction(
        kFunction, call, [](const GroupPlan& plan) { return plan.size(); },
        [&](GroupPlan& plan, const Operation& operation, std::uint64_t bytes) {
            return reduce(
                plan, kFunction, operation, bytes,
                CutVector(bytes * plan.size(), bytes, plan.size()), /*gather=*/false,
                [&](std::byte* into) {
                    const auto* own = reinterpret_cast<const std::byte*>(call.vector());
                    for (std::uint32_t place = 0; place < plan.size(); ++place)
                        std::memcpy(into + place * bytes, own + plan.member_at(place) * bytes,
                                    bytes);
                },
                [&](const std::byte* from) {
                    std::memcpy(reinterpret_cast<void*>(call.receive.address),
                                from + plan.place() * bytes, bytes);
                });
        });
}

}  // namespace kumi::mpi::collectives
