#include "schedule/work_watch.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "base/testing/temporary_folder.hpp"
#include "schedule/files/schedule_file.hpp"
#include "schedule/patterns/patterns.hpp"
#include "schedule/testing/schedules_under_test.hpp"

namespace kumi::schedule {
namespace {

struct Stopped : std::runtime_error {
    Stopped() : std::runtime_error("stopped") {}
};

collectives::PatternParameters many_ranks() { return collectives::PatternParameters{.ranks = 600}; }

TEST(WorkWatch, SeesHowFarTheWorkIs) {
    std::vector<std::uint64_t> seen;
    const WorkWatch watch([&](std::uint64_t operations) { seen.push_back(operations); });
    const Schedule schedule = generate("alltoall/linear", many_ranks());
    // One look after 2^16 operations each, at the end of a rank.
    EXPECT_EQ(seen.size(), schedule.operations() >> 16);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    EXPECT_LE(seen.back(), schedule.operations());
}

TEST(WorkWatch, LooksWithinALargeRankToo) {
    std::uint64_t looks = 0;
    const WorkWatch watch([&](std::uint64_t) { ++looks; });
    collectives::PatternParameters parameters{.compute = {1}};
    generate("barrier", parameters, 1 << 18);
    EXPECT_EQ(looks, 4u);
}

TEST(WorkWatch, EndsTheWorkByAnException) {
    const WorkWatch watch([](std::uint64_t) { throw Stopped(); });
    EXPECT_THROW(generate("alltoall/linear", many_ranks()), Stopped);
}

TEST(WorkWatch, LeavesNoFileBehind) {
    const Schedule schedule = generate("alltoall/linear", many_ranks());
    const TemporaryFolder folder;
    for (const ScheduleForm form : {ScheduleForm::kGoal, ScheduleForm::kBinary}) {
        const WorkWatch watch([](std::uint64_t) { throw Stopped(); });
        EXPECT_THROW(write_schedule_file(schedule, folder / "file", form), Stopped);
        EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    }
}

TEST(WorkWatch, AnInnerOneHidesAnOuterOne) {
    std::uint64_t outer = 0, inner = 0;
    const WorkWatch watch([&](std::uint64_t) { ++outer; });
    {
        const WorkWatch hiding([&](std::uint64_t) { ++inner; });
        WorkWatch::count(1 << 16);
    }
    EXPECT_EQ(outer, 0u);
    EXPECT_EQ(inner, 1u);
    WorkWatch::count(1 << 16);
    EXPECT_EQ(outer, 1u);
}

}  // namespace
}  // namespace kumi::schedule
