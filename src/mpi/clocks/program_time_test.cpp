#include "mpi/clocks/program_time.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

namespace kumi::mpi {
namespace {

using namespace literals;

TEST(ProgramTime, StartIsRealAndStaysBelowTheJoin) {
    EXPECT_EQ(starting_ns(0), 0);
    EXPECT_EQ(starting_ns(5), 5);
    EXPECT_EQ(starting_ns(-1), 0);
    EXPECT_EQ(starting_ns(kJoined_ns - 1), kJoined_ns - 1);
    EXPECT_EQ(starting_ns(100 * kJoined_ns), kJoined_ns - 1);
}

TEST(ProgramTime, VirtualTimeFollowsAnHourAfterTheStart) {
    EXPECT_EQ(virtual_ns(Instant{0}), 3'600'000'000'000);
    EXPECT_EQ(virtual_ns(Instant{} + 999_ps), 3'600'000'000'000);
    EXPECT_EQ(virtual_ns(Instant{} + 1_ns), 3'600'000'000'001);
}

TEST(ProgramTime, DatesCountFromTheYear2000) {
    EXPECT_EQ(clock_offset_ns(CLOCK_REALTIME), 946'684'800'000'000'000);
    EXPECT_EQ(clock_offset_ns(CLOCK_REALTIME_COARSE), clock_offset_ns(CLOCK_REALTIME));
    EXPECT_EQ(clock_offset_ns(CLOCK_MONOTONIC), 86'400'000'000'000);
    for (clockid_t id : {CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME})
        EXPECT_EQ(clock_offset_ns(id), clock_offset_ns(CLOCK_MONOTONIC));
}

TEST(ProgramTime, CpuTimeIsLeftAlone) {
    EXPECT_FALSE(clock_offset_ns(CLOCK_PROCESS_CPUTIME_ID));
    EXPECT_FALSE(clock_offset_ns(CLOCK_THREAD_CPUTIME_ID));
    EXPECT_FALSE(clock_offset_ns(-6));
}

TEST(ProgramTime, RefusesTimesThatAreNone) {
    std::int64_t time_ns = 0;
    EXPECT_FALSE(to_ns({.tv_sec = 0, .tv_nsec = 1'000'000'000}, time_ns));
    EXPECT_FALSE(to_ns({.tv_sec = 0, .tv_nsec = -1}, time_ns));
    EXPECT_FALSE(to_ns({.tv_sec = -1, .tv_nsec = 0}, time_ns));
}

TEST(ProgramTime, LongSpansAreCut) {
    std::int64_t time_ns = 0;
    ASSERT_TRUE(
        to_ns({.tv_sec = std::numeric_limits<time_t>::max(), .tv_nsec = 999'999'999}, time_ns));
    EXPECT_GT(time_ns, 0);
    EXPECT_EQ(to_duration(time_ns).ps, kLongestSpan_ns * 1'000);
    EXPECT_EQ(to_duration(-5).ps, 0);
    EXPECT_EQ(to_duration(7), 7_ns);
}

RC_GTEST_PROP(ProgramTime, TimespecAndBack, ()) {
    const auto time_ns = *rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000'000'000);
    std::int64_t again_ns = -1;
    RC_ASSERT(to_ns(to_timespec(time_ns), again_ns));
    RC_ASSERT(again_ns == time_ns);
}

}  // namespace
}  // namespace kumi::mpi
