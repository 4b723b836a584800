// MPI_Allgather along one dimension after the other, on ranks that fill a box.

#include <array>
#include <climits>

#include "mpi/collectives/answer.hpp"
#include "mpi/collectives/group_plan.hpp"
#include "mpi/collectives/schedule.hpp"
#include "mpi/collectives/typed_blocks.hpp"

namespace kumi::mpi::collectives {

using namespace kumi::collectives;
namespace {

constexpr CollectiveFunction kFunction = CollectiveFunction::kAllgather;

/// The rank's own block is number `own` of what it sends.
int gather(GroupPlan& plan, const TypedBlocks& send, std::uint64_t own,
           const TypedBlocks& receive) {
    const CutVector vector(receive.block_bytes() * plan.size(), receive.block_bytes(), plan.size());
    VectorData data(vector);
    FirstError error;
    error.note(send.pack(own, data.at(plan.place())));
    const BoxLines& lines = plan.lines();
    const std::array<Way, 2> ways{
        Way{.variant = 0,
            .write = [&](RankProgram& program) { gather_in_box(program, lines, vector); }},
        Way{.variant = 1,
            .sharing = sharing_of_double_gather(lines),
            .write = [&](RankProgram& program) { double_gather_in_box(program, lines, vector); }}};
    error.note(
        carry_out(plan, kFunction, fastest_of(plan, kFunction, receive.block_bytes(), ways), data));
    for (std::uint32_t place = 0; place < plan.size(); ++place)
        error.note(receive.unpack(plan.member_at(place), data.at(place)));
    return error.code;
}

}  // namespace

// The size of a block is the same for all ranks, though types and counts may differ.
Outcome answer_allgather(const Exchange& call) {
    const bool makes_sense = call.send.makes_sense() && call.receive.makes_sense();
    GroupPlan* plan = makes_sense ? plan_for_call(call.communicator) : nullptr;
    if (plan == nullptr) return chosen(kFunction, kArguments);
    if (plan->choice_in_box() != kScheduled) return chosen(kFunction, plan->choice_in_box());
    const TypedBlocks receive(call.receive, call.communicator);
    const TypedBlocks send =
        call.send.is_in_place() ? receive : TypedBlocks(call.send, call.communicator);
    const std::uint64_t block_bytes = receive.block_bytes();
    if (send.block_bytes() != block_bytes || !send.has_memory() || !receive.has_memory())
        return chosen(kFunction, kArguments);
    if (block_bytes == 0 || block_bytes > INT_MAX / plan->size()) return chosen(kFunction, kSize);
    Outcome outcome = chosen(kFunction, kScheduled);
    outcome.error =
        gather(*plan, send, call.send.is_in_place() ? plan->member_at(plan->place()) : 0, receive);
    return outcome;
}

}  // namespace kumi::mpi::collectives
