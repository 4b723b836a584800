// MPI_Bcast along one dimension after the other, on ranks that fill a box.

#include <array>
#include <climits>

#include "mpi/collectives/answer.hpp"
#include "mpi/collectives/group_plan.hpp"
#include "mpi/collectives/schedule.hpp"
#include "mpi/collectives/typed_blocks.hpp"

namespace kumi::mpi::collectives {

using namespace kumi::collectives;
namespace {

constexpr CollectiveFunction kFunction = CollectiveFunction::kBcast;

/// Parts of a vector begin at multiples of it: no number of any type is cut.
constexpr std::uint64_t kUnitBytes = 16;

int broadcast(GroupPlan& plan, const TypedBlocks& buffer, std::uint32_t root) {
    const std::uint64_t bytes = buffer.block_bytes();
    const CutVector whole(bytes, bytes, 1), vector(bytes, kUnitBytes, plan.size());
    const BoxLines& lines = plan.lines();
    const std::array<Way, 2> ways{
        Way{.variant = 2 * std::uint64_t{root},
            .write = [&](RankProgram& program) { broadcast_in_box(program, lines, whole, root); }},
        Way{.variant = 2 * std::uint64_t{root} + 1, .write = [&](RankProgram& program) {
                scatter_in_box(program, lines, vector, root);
                gather_in_box(program, lines, vector);
            }}};
    const Schedule schedule = fastest_of(plan, kFunction, bytes, ways);
    VectorData data(schedule.way == &ways[0] ? whole : vector);
    const bool is_root = plan.place() == root;
    FirstError error;
    if (is_root) error.note(buffer.pack(0, data.at(0)));
    error.note(carry_out(plan, kFunction, schedule, data));
    if (!is_root) error.note(buffer.unpack(0, data.at(0)));
    return error.code;
}

}  // namespace

// All have as many bytes, though types and counts may differ.
Outcome answer_bcast(const Broadcast& call) {
    GroupPlan* plan = call.buffer.makes_sense() && !call.buffer.is_in_place()
                          ? plan_for_call(call.communicator)
                          : nullptr;
    if (plan == nullptr) return chosen(kFunction, kArguments);
    if (plan->choice_in_box() != kScheduled) return chosen(kFunction, plan->choice_in_box());
    if (call.root < 0 || static_cast<std::uint32_t>(call.root) >= plan->size())
        return chosen(kFunction, kArguments);
    const TypedBlocks buffer(call.buffer, call.communicator);
    if (!buffer.has_memory()) return chosen(kFunction, kArguments);
    if (buffer.block_bytes() == 0 || buffer.block_bytes() > INT_MAX)
        return chosen(kFunction, kSize);
    Outcome outcome = chosen(kFunction, kScheduled);
    outcome.error = broadcast(*plan, buffer, plan->place_of(static_cast<std::uint32_t>(call.root)));
    return outcome;
}

}  // namespace kumi::mpi::collectives
