// How a program gets into virtual time and out of it.

#include <gtest/gtest.h>

#include <ostream>

#include "mpi/testing/probe_run.hpp"

namespace kumi::mpi {
namespace {

struct Level {
    const char* program;
    const char* asked;
    const char* given;
    bool explained;
};

void PrintTo(const Level& level, std::ostream* out) {
    *out << level.program << ", " << level.asked;
}

class ThreadLevel : public testing::TestWithParam<Level> {};

TEST_P(ThreadLevel, MultipleIsLoweredToSerialized) {
    const auto& [program, asked, given, explained] = GetParam();
    const ProbeResult result =
        complete_probe({.program = program, .arguments = {"thread-level", asked}});
    EXPECT_EQ(result.output, std::string("init_thread ") + given + "\nbarrier world\nprovided " +
                                 given + "\nfinalize\n");
    EXPECT_EQ(result.complaints.find("MPI_THREAD_SERIALIZED") != std::string::npos, explained);
    const bool threads_may_call = explained;
    EXPECT_EQ(result.log, std::string("attach\njoin") +
                              (threads_may_call ? ", threads may call" : "") + "\nfinish 0\n");
}

INSTANTIATE_TEST_SUITE_P(Abis, ThreadLevel,
                         testing::Values(Level{"probe_mpich", "3", "2", true},
                                         Level{"probe_mpich", "1", "1", false},
                                         Level{"probe_openmpi", "3", "2", true},
                                         Level{"probe_openmpi", "0", "0", false},
                                         Level{"probe_abi", "4096", "2048", true},
                                         Level{"probe_abi", "1024", "1024", false}));

TEST(ShimStart, Fortran2008LowersTheLevelAndKeepsTheProgramsVariable) {
    const ProbeResult result =
        run_probe({.program = "probe_openmpi", .arguments = {"f08-thread-level", "3"}});
    EXPECT_EQ(result.output, "init_thread 2\nbarrier world\nrequired 3 provided 2\nfinalize\n");
}

TEST(ShimStart, OnlyRankZeroExplainsTheLevel) {
    const ProbeResult result =
        run_probe({.program = "probe_openmpi",
                   .arguments = {"thread-level", "3"},
                   .environment = {"KUMI_SEGMENT=fake", "OMPI_COMM_WORLD_RANK=1"}});
    EXPECT_NE(result.output.find("provided 2"), std::string::npos);
    EXPECT_EQ(result.complaints, "");
}

TEST(ShimStart, TheLevelIsKeptOutsideOfARun) {
    const ProbeResult result =
        run_probe({.arguments = {"thread-level", "3"}, .environment = {"PMI_RANK=0"}});
    EXPECT_EQ(result.output, "init_thread 3\nprovided 3\nfinalize\n");
    EXPECT_EQ(result.complaints, "");
}

TEST(ShimStart, FortranOverCJoinsOnce) {
    const ProbeResult result = run_probe({.arguments = {"fortran-init"}});
    EXPECT_EQ(result.output, "init\nbarrier world\nerror 0\nfinalize\n");
    EXPECT_EQ(result.log, "attach\njoin\nfinish 0\n");
}

TEST(ShimStart, ASecondInitAndFinalizeChangeNothing) {
    const ProbeResult result = run_probe({.arguments = {"init-twice"}});
    EXPECT_EQ(result.output, "init\nbarrier world\n01\nfinalize\nfinalize\n");
    EXPECT_EQ(result.log, "attach\njoin\nfinish 0\n");
}

TEST(ShimStart, ARankThatCannotTakePartEnds) {
    const ProbeResult result =
        run_probe({.arguments = {"calls"}, .environment = {"KUMI_SEGMENT=broken", "PMI_RANK=0"}});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.complaints, "kumihimo: this process cannot take part in the run\n");
    EXPECT_EQ(result.output, "");
}

}  // namespace
}  // namespace kumi::mpi
