// MPI_Alltoall by Suh and Shin's algorithm, on ranks that fill a torus.

#include <algorithm>
#include <climits>
#include <vector>

#include "collectives/scheme.hpp"
#include "mpi/collectives/calls.hpp"
#include "mpi/collectives/group_plan.hpp"
#include "mpi/collectives/message_program.hpp"
#include "mpi/collectives/typed_blocks.hpp"

namespace kumi::mpi::collectives {
namespace {

constexpr CollectiveFunction kFunction = CollectiveFunction::kAlltoall;

/// Each message carries at most half of a rank's blocks, and MPI counts its bytes by an int.
constexpr std::uint64_t kMostBytes = INT_MAX;

/// How long each step lasts: as long as its longest message, of any rank.
std::vector<Duration> step_times(const GroupPlan& plan, std::uint64_t block_bytes) {
    const SuhShinSteps& steps = plan.suh_shin();
    std::vector<Duration> times(steps.steps());
    for (std::uint32_t step = 0; step < steps.steps(); ++step) {
        for (std::uint32_t place = 0; place < plan.size(); ++place) {
            const SuhShinSteps::Move move = steps.move(place, step);
            if (move.distance == 0) continue;
            const Duration time = run_link::idle_time(
                plan.rank_at(place), plan.rank_at(move.target), move.blocks * block_bytes);
            times[step] = std::max(times[step], time);
        }
    }
    return times;
}

std::span<const Duration> step_begins(GroupPlan& plan, std::uint64_t block_bytes) {
    StartMember& member = plan.start_member();
    const auto known = run_link::find_steps(member, kFunction, block_bytes);
    if (!known.empty()) return known;
    return run_link::keep_steps(member, kFunction, block_bytes, step_times(plan, block_bytes));
}

int exchange(GroupPlan& plan, const TypedBlocks& send, const TypedBlocks& receive) {
    const std::uint32_t size = plan.size(), place = plan.place();
    const std::uint64_t block_bytes = receive.block_bytes();
    HeldBlocks held(size, block_bytes);
    int error = 0;
    const auto note = [&error](int found) {
        if (error == 0) error = found;
    };
    // Also after an error, of which the others know nothing.
    for (std::uint32_t target = 0; target < size; ++target)
        note(send.pack(plan.member_at(target), held.add(BlockId{place} * size + target)));
    MessageProgram program(plan, kFunction, held);
    SchemedProgram schemed(program, Scheme::kClock, step_begins(plan, block_bytes));
    plan.suh_shin().write_alltoall(schemed, block_bytes);
    note(program.error());
    for (std::uint32_t origin = 0; origin < size; ++origin)
        note(receive.unpack(plan.member_at(origin), held.find(BlockId{origin} * size + place)));
    return error;
}

bool makes_sense(const detail::Alltoall& call, bool is_in_place) {
    const MpiAbi& abi = known_abi();
    return call.receive_count >= 0 && call.receive_type != abi.datatype_null &&
           (is_in_place || (call.send_count >= 0 && call.send_type != abi.datatype_null));
}

}  // namespace

// All that decides is the same on all ranks: the communicator, its hosts, and the size of a block,
// which MPI wants to be equal for all pairs, though types and counts may differ.
detail::Outcome detail::answer(const Alltoall& call) {
    const bool is_in_place = call.send == known_abi().in_place;
    Outcome outcome{.function = kFunction, .choice = CollectiveChoice::kArguments};
    const auto choose = [&](CollectiveChoice choice) {
        outcome.choice = choice;
        run_link::note_collective(kFunction, choice, /*begins=*/true);
        return outcome;
    };
    GroupPlan* plan = makes_sense(call, is_in_place) ? plan_of(call.communicator) : nullptr;
    if (plan == nullptr) return choose(CollectiveChoice::kArguments);
    if (plan->choice_of_alltoall() != CollectiveChoice::kScheduled)
        return choose(plan->choice_of_alltoall());
    const TypedBlocks receive(call.receive, call.receive_count, call.receive_type,
                              call.communicator);
    const TypedBlocks send =
        is_in_place ? receive
                    : TypedBlocks(call.send, call.send_count, call.send_type, call.communicator);
    const std::uint64_t block_bytes = receive.block_bytes();
    if (send.block_bytes() != block_bytes) return choose(CollectiveChoice::kArguments);
    if (block_bytes == 0 || block_bytes > kMostBytes / plan->size())
        return choose(CollectiveChoice::kSize);
    choose(CollectiveChoice::kScheduled);
    outcome.error = exchange(*plan, send, receive);
    return outcome;
}

}  // namespace kumi::mpi::collectives
