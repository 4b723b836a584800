// Schedules one after the other.
#include "schedule/joined_schedule.hpp"

#include <vector>

#include "schedule/patterns/patterns.hpp"
#include "schedule/testing/replay_under_test.hpp"

namespace kumi::schedule {
namespace {

const Schedule kOne =
    of_ranks({"a: calc 10\nb: send 8b to 1\nc: calc 5 cpu 1\nb irequires a", "recv 8b from 0"});
const Schedule kTwo = goal("num_ranks 2\nrank 0 { calc 30 }");

TEST(JoinedSchedule, ApproximateMessagesStaySo) {
    const Schedule first = goal("num_ranks 2\nrank 0 { send 8b to 1 approximate double 16 }");
    const Schedule second = goal("num_ranks 2\nrank 0 { send 8b to 1 approximate float 8 }");
    const std::vector<SchedulePart> parts = {{&second}, {&kTwo}, {&first}};
    EXPECT_EQ(join_schedules(parts),
              of_ranks({in_turn({"send 8b to 1 approximate float 8", "calc 30",
                                 "send 8b to 1 approximate double 16"}),
                        ""}));
    const Schedule other = goal("num_ranks 2\nexact_messages unprotected\n");
    const std::vector<SchedulePart> unlike = {{&first}, {&other}};
    EXPECT_TRUE(says(complaint_of([&] { join_schedules(unlike); }), "cannot be joined"));
}

TEST(JoinedSchedule, APartBeginsWhenTheOneBeforeHasEnded) {
    const std::vector<SchedulePart> parts = {{&kOne}, {&kTwo}, {&kOne, /*in_kernel=*/true}};
    const std::string rank_0 = R"(a: calc 10
b: send 8b to 1
c: calc 5 cpu 1
b irequires a
j: calc 0
j requires a
j requires b
j requires c
d: calc 30
d requires j
k: hint IN_KERNEL 1
k requires d
e: calc 10
f: send 8b to 1
g: calc 5 cpu 1
f irequires e
e requires k
g requires k
h: hint IN_KERNEL 0
h requires e
h requires f
h requires g)";
    const std::string rank_1 =
        in_turn({"recv 8b from 0", "hint IN_KERNEL 1", "recv 8b from 0", "hint IN_KERNEL 0"});
    EXPECT_EQ(join_schedules(parts), of_ranks({rank_0, rank_1}));
}

TEST(JoinedSchedule, TheSameTwiceIsTwoIterations) {
    for (const char* pattern : {"shift/direct", "allreduce/ring", "alltoall/linear"}) {
        const collectives::PatternParameters parameters{.ranks = 6, .size_bytes = 5000};
        const Schedule once = generate(pattern, parameters);
        const std::vector<SchedulePart> parts = {{&once}, {&once}};
        const Star star = Star(6).with(kLoaded);
        const auto joined = star.replay(join_schedules(parts));
        const auto iterated = star.replay(generate(pattern, parameters, 2));
        expect_complete(*joined);
        EXPECT_EQ(joined->virtual_time(), iterated->virtual_time()) << pattern;
        EXPECT_EQ(joined->network().event_hash(), iterated->network().event_hash()) << pattern;
    }
}

TEST(JoinedSchedule, AddsPollsAndWildcardsOfItsParts) {
    const Schedule polls = goal("num_ranks 2\nrecorded_polls 3\n");
    const Schedule both = goal("num_ranks 2\nrecorded_polls 4\nrecorded_wildcards 1\n");
    const std::vector<SchedulePart> parts = {{&polls}, {&kOne}, {&both}};
    EXPECT_EQ(join_schedules(parts).recorded_order(), (RecordedOrder{.polls = 7, .wildcards = 1}));
    EXPECT_FALSE(
        join_schedules(std::vector<SchedulePart>{{&kOne}}).recorded_order().may_depend_on_time());
}

TEST(JoinedSchedule, RefusesWhatDoesNotFit) {
    const Schedule other = goal("num_ranks 3");
    const std::vector<SchedulePart> parts = {{&kOne}, {&other}};
    EXPECT_EQ(complaint_of([&] { join_schedules(parts); }),
              "schedules of 2 and of 3 ranks cannot be joined");
    EXPECT_EQ(complaint_of([&] { join_schedules({}); }), "there is no schedule to join");
}

}  // namespace
}  // namespace kumi::schedule
