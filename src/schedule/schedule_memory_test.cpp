// Schedules and states of operations that are too large for the memory they may have.

#include <cstdlib>

#include "schedule/patterns/patterns.hpp"
#include "schedule/testing/replay_under_test.hpp"
#include "schedule/testing/schedules_under_test.hpp"

namespace kumi::schedule {
namespace {

/// Makes the same schedule again with so much memory.
Schedule rebuilt(const Schedule& schedule, std::uint64_t most_held_bytes) {
    ScheduleBuilder builder(schedule.ranks(), most_held_bytes);
    if (schedule.errors() != nullptr) builder.allow_errors(schedule.errors()->protects_exact);
    builder.count_recorded_order(schedule.recorded_order());
    for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
        const auto operations = schedule.operations_of(rank);
        if (operations.empty()) continue;
        builder.begin_rank(rank);
        for (Operation operation : operations) {
            if (operation.has(traits::kApproximate))
                operation.allow_errors(
                    builder.content(schedule.errors()->contents[operation.content()]));
            builder.add(operation);
        }
        for (std::uint32_t before = 0; before < operations.size(); ++before) {
            for (const Successor after : schedule.successors(rank, before))
                builder.depend(after.operation(), before, after.on_start());
        }
    }
    return builder.finish();
}

TEST(ScheduleMemory, SpilledSchedulesSayTheSame) {
    rc::check("spilled and held", [] {
        const Schedule schedule = arbitrary_schedule();
        // From each rank to a file, over some ranks at once, to none.
        const auto most_held_bytes = *rc::gen::inRange<std::uint64_t>(0, 400);
        const Schedule spilled = rebuilt(schedule, most_held_bytes);
        RC_ASSERT(spilled == schedule);
        RC_ASSERT(spilled.operations() == schedule.operations());
        RC_ASSERT(spilled.dependences() == schedule.dependences());
    });
}

TEST(ScheduleMemory, ASpilledScheduleNeedsAFolder) {
    ::setenv("TMPDIR", "/nowhere/at/all", 1);
    const Schedule schedule = goal("num_ranks 2\nrank 1 {\nsend 8b to 0\n}\n");
    EXPECT_THROW(rebuilt(schedule, 0), TemporaryFileError);
    EXPECT_EQ(rebuilt(schedule, 1000), schedule);
    ::unsetenv("TMPDIR");
}

TEST(ScheduleMemory, AReplayInFilesHasTheSameEvents) {
    const Schedule schedule = generate("halo/3d", {.ranks = 64, .size_bytes = 100'000}, 3);
    const auto replay = [&](std::uint64_t most_held_bytes) {
        ReplayParameters parameters = kLoaded;
        parameters.most_held_bytes = most_held_bytes;
        return Star(64).with(parameters).complete(rebuilt(schedule, most_held_bytes));
    };
    const Replayed held = replay(1 << 30);
    const Replayed spilled = replay(0);
    EXPECT_EQ(spilled->network().event_hash(), held->network().event_hash());
    EXPECT_EQ(spilled->virtual_time(), held->virtual_time());
}

}  // namespace
}  // namespace kumi::schedule
