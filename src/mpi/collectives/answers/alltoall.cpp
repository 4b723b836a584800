// MPI_Alltoall by Suh and Shin's algorithm, on ranks that fill a torus.

#include <climits>

#include "mpi/collectives/answer.hpp"
#include "mpi/collectives/group_plan.hpp"
#include "mpi/collectives/schedule.hpp"
#include "mpi/collectives/typed_blocks.hpp"

namespace kumi::mpi::collectives {

using namespace kumi::collectives;
namespace {

constexpr CollectiveFunction kFunction = CollectiveFunction::kAlltoall;

/// Each message carries at most half of a rank's blocks, and MPI counts its bytes by an int.
constexpr std::uint64_t kMostBytes = INT_MAX;

int exchange(GroupPlan& plan, const TypedBlocks& send, const TypedBlocks& receive) {
    const std::uint32_t size = plan.size(), place = plan.place();
    const std::uint64_t block_bytes = receive.block_bytes();
    HeldBlocks held(size, block_bytes);
    FirstError error;
    // Also after an error, of which the others know nothing.
    for (std::uint32_t target = 0; target < size; ++target)
        error.note(send.pack(plan.member_at(target), held.add(BlockId{place} * size + target)));
    const Way way{.write = [&](RankProgram& program) {
        plan.suh_shin().write_alltoall(program, block_bytes);
    }};
    MovedBlocks data(held);
    error.note(
        carry_out(plan, kFunction, fastest_of(plan, kFunction, block_bytes, {&way, 1}), data));
    for (std::uint32_t origin = 0; origin < size; ++origin)
        error.note(
            receive.unpack(plan.member_at(origin), held.find(BlockId{origin} * size + place)));
    return error.code;
}

}  // namespace

// The size of a block is the same for all pairs, though types and counts may differ.
Outcome answer_alltoall(const Exchange& call) {
    const bool makes_sense = call.send.makes_sense() && call.receive.makes_sense();
    GroupPlan* plan = makes_sense ? plan_for_call(call.communicator) : nullptr;
    if (plan == nullptr) return chosen(kFunction, kArguments);
    if (plan->choice_of_alltoall() != kScheduled)
        return chosen(kFunction, plan->choice_of_alltoall());
    const TypedBlocks receive(call.receive, call.communicator);
    const TypedBlocks send =
        call.send.is_in_place() ? receive : TypedBlocks(call.send, call.communicator);
    const std::uint64_t block_bytes = receive.block_bytes();
    if (send.block_bytes() != block_bytes) return chosen(kFunction, kArguments);
    if (block_bytes == 0 || block_bytes > kMostBytes / plan->size())
        return chosen(kFunction, kSize);
    Outcome outcome = chosen(kFunction, kScheduled);
    outcome.error = exchange(*plan, send, receive);
    return outcome;
}

}  // namespace kumi::mpi::collectives
