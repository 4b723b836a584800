// The time that a program sees. Each reading costs 50 ns in the double of the run.

#include <gtest/gtest.h>

#include "mpi/testing/probe_run.hpp"

namespace kumi::mpi {
namespace {

TEST(ShimTime, EveryClockIsVirtual) {
    const ProbeResult result = complete_probe({.arguments = {"clocks"}});
    EXPECT_EQ(result.output,
              "init\nbarrier world\n"
              "before 946684800 86400\n"
              "wtime 0.000000050000 tick 1e-12\n"
              "realtime 946688400000000100\n"
              "monotonic 90000000000150\n"
              "gettimeofday 946688400 0\n"
              "time 946688400\n"
              "utc 946688400 300\n"
              "library sees real\n"
              "cpu time virtual\n"
              "finalize\n"
              "after goes on\n");
    EXPECT_EQ(result.log, "attach\njoin\nfinish 400000\n");
}

TEST(ShimTime, DatesCountFromTheOneThatIsWanted) {
    const ProbeResult result = complete_probe(
        {.arguments = {"clocks"},
         .environment = {"KUMI_SEGMENT=fake", "PMI_RANK=0", "KUMI_START_DATE=1795521600"}});
    EXPECT_NE(result.output.find("before 1795518000 86400\n"), std::string::npos);
    EXPECT_NE(result.output.find("realtime 1795521600000000100\n"), std::string::npos);
    EXPECT_NE(result.output.find("gettimeofday 1795521600 0\n"), std::string::npos);
}

TEST(ShimTime, EveryClockIsRealOutsideOfARun) {
    const ProbeResult result = complete_probe({.arguments = {"clocks"}, .environment = {}});
    EXPECT_EQ(result.output.find("before 9466848"), std::string::npos);
    EXPECT_NE(result.output.find("wtime -1.000000000000 tick -2"), std::string::npos);
    EXPECT_NE(result.output.find("library sees real"), std::string::npos);
}

TEST(ShimTime, SleepsCostVirtualTimeOnly) {
    const ProbeResult result = run_probe({.arguments = {"sleeps"}});
    EXPECT_EQ(result.output,
              "init\nbarrier world\n"
              "sleep 0\nusleep 0\nnanosleep 0\nwrong -1 EINVAL\nclock_nanosleep 0\n"
              "until 0\npast 0\npoll 0\nin a callback 0\n"
              // 1000 s, 7 µs, 1000 s 5 ns twice, a reading, 60 s, 3 ms, 500 s.
              "now 3560.003007060\nfinalize\n");
}

const std::string kFutexes = "futex -1 ETIMEDOUT 1\nfutex -1 ETIMEDOUT 1\nfutex -1 ETIMEDOUT 1\n";

TEST(ShimTime, WaitsThatTimeOutReachTheirDeadline) {
    const ProbeResult result = run_probe({.arguments = {"waits"}});
    EXPECT_EQ(result.output, "init\nbarrier world\nETIMEDOUT 1\nETIMEDOUT 1\n-1 ETIMEDOUT 1\n0\n" +
                                 kFutexes + "finalize\n");
    EXPECT_EQ(result.log.find("sleep 0\n"), std::string::npos);
}

TEST(ShimTime, OtherThreadsHaveClocksOfTheirOwnUntilTheyCallMpi) {
    const ProbeResult result = complete_probe({.arguments = {"threads"}});
    EXPECT_EQ(result.output,
              "init\nbarrier world\n"
              "after a sleep 1000050\nafter a poll 3000050\nrank 0 0\n"
              "rank after a call 1.003000100\nrank at the end 1.003000100\nfinalize\n");
}

TEST(ShimTime, SleepsAndWaitsWorkOutsideOfARun) {
    const ProbeResult result = run_probe({.arguments = {"waits"}, .environment = {}});
    EXPECT_EQ(result.output,
              "init\nETIMEDOUT 1\nETIMEDOUT 1\n-1 ETIMEDOUT 1\n0\n" + kFutexes + "finalize\n");
}

}  // namespace
}  // namespace kumi::mpi
