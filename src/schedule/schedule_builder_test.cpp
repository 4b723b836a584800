#include "schedule/schedule_builder.hpp"

#include "schedule/testing/schedules_under_test.hpp"

namespace kumi::schedule {
namespace {

TEST(ScheduleBuilder, KeepsWhatItIsGiven) {
    ScheduleBuilder builder(3);
    builder.begin_rank(1);
    const auto first = builder.add(Operation::compute({7}));
    const auto second = builder.add(Operation::send(8, 2, 5));
    builder.require(second, first);
    builder.require_start(second, first);
    builder.require(second, first);
    const Schedule schedule = builder.finish();
    EXPECT_EQ(schedule.ranks(), 3u);
    EXPECT_TRUE(schedule.operations_of(0).empty());
    EXPECT_TRUE(schedule.operations_of(2).empty());
    ASSERT_EQ(schedule.operations_of(1).size(), 2u);
    EXPECT_EQ(schedule.operations_of(1)[1].tag, 5u);
    const auto successors = schedule.successors(1, first);
    ASSERT_EQ(successors.size(), 2u);
    EXPECT_EQ(successors[0], Successor(second, false));
    EXPECT_EQ(successors[1], Successor(second, true));
    EXPECT_TRUE(schedule.successors(1, second).empty());
}

TEST(ScheduleBuilder, RefusesWhatCannotBe) {
    ScheduleBuilder builder(2);
    builder.begin_rank(0);
    EXPECT_NE(complaint_of([&] { builder.add(Operation::send(1, 2)); }), "");
    EXPECT_NE(complaint_of([&] { builder.add(Operation::send(1, kAnyPeer)); }), "");
    EXPECT_NE(complaint_of([&] { builder.add(Operation::send(1, 0, kAnyTag)); }), "");
    EXPECT_NE(complaint_of([&] { builder.add(Operation::receive(1, 2)); }), "");
    EXPECT_NE(complaint_of([&] { builder.add(Operation::send(kMostAmount + 1, 1)); }), "");
    EXPECT_EQ(complaint_of([&] { builder.add(Operation::receive(1, kAnyPeer, kAnyTag)); }), "");
    EXPECT_NE(complaint_of([&] { builder.require(0, 0); }), "");
    EXPECT_NE(complaint_of([&] { builder.require(0, 1); }), "");
    EXPECT_NE(complaint_of([&] { builder.begin_rank(0); }), "");
    EXPECT_NE(complaint_of([&] { builder.begin_rank(2); }), "");
    EXPECT_NE(complaint_of([] { ScheduleBuilder none(0); }), "");
    EXPECT_NE(complaint_of([] { ScheduleBuilder many(std::uint64_t{kMostScheduleRanks} + 1); }),
              "");
}

TEST(ScheduleBuilder, NamesTheOperationsOfACycle) {
    ScheduleBuilder builder(1);
    builder.begin_rank(0);
    for (int i = 0; i < 5; ++i) builder.add(Operation::compute({1}));
    builder.require(1, 0);
    builder.require(2, 1);
    builder.require_start(3, 2);
    builder.require(1, 3);
    builder.require(4, 3);
    try {
        builder.finish();
        FAIL() << "the cycle was not seen";
    } catch (const CycleError& error) {
        std::vector<std::uint32_t> operations = error.operations();
        std::sort(operations.begin(), operations.end());
        EXPECT_EQ(operations, (std::vector<std::uint32_t>{1, 2, 3}));
    }
}

TEST(ScheduleBuilder, AcceptsWaitingForLaterOperations) {
    ScheduleBuilder builder(1);
    builder.begin_rank(0);
    for (int i = 0; i < 3; ++i) builder.add(Operation::compute({1}));
    builder.require(0, 2);
    builder.require(2, 1);
    EXPECT_EQ(builder.finish().successors(0, 1)[0].operation(), 2u);
}

}  // namespace
}  // namespace kumi::schedule
