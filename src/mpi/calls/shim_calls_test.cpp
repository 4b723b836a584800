// What the shim does with MPI calls, seen from outside: a program, a fake MPI library, the shim.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>

#include "base/shim_table.hpp"
#include "mpi/testing/probe_run.hpp"
#include "mpi/testing/shim_table.h"

namespace kumi::mpi {
namespace {

// What the fake MPI libraries see of the shim is what it has.
static_assert(sizeof(sent_content) == sizeof(SentContent));
static_assert(offsetof(sent_content, function) == offsetof(SentContent, function));
static_assert(offsetof(sent_content, sites) == offsetof(SentContent, sites));
static_assert(sizeof(shim_table) == sizeof(ShimTable));
static_assert(offsetof(shim_table, content_of_message) == offsetof(ShimTable, content_of_message));

const std::vector<std::string> kNoRank = {"KUMI_SEGMENT=fake"};

void expect_of_each_library(ProbeRun run, const std::string& output) {
    for (const char* program : {"probe_mpich", "probe_abi", "probe_openmpi", "probe_host"}) {
        run.program = program;
        EXPECT_EQ(complete_probe(run).output, output) << program;
    }
}

TEST(ShimCalls, ForwardsFourteenArgumentsAndTheResult) {
    expect_of_each_library({.arguments = {"forward"}},
                           "init\nbarrier world\n4711 14\n4711 14\nfinalize\n");
}

TEST(ShimCalls, TellsTheRunOfOutermostCallsOnly) {
    const ProbeResult result = complete_probe({.arguments = {"calls"}});
    EXPECT_EQ(result.log,
              "attach\njoin\n"
              "enter blocking MPI_Send\nleave\n"
              "enter blocking mpi_send\nleave\n"
              "enter blocking mpi_send\nleave\n"
              "enter polling MPI_Iprobe\nleave\n"
              "enter probing MPI_Probe\nleave\n"
              "enter window MPI_Win_fence\nleave\n"
              "finish 0\n");
}

TEST(ShimCalls, TellsForWhichMessagesACallWaits) {
    expect_of_each_library({.arguments = {"receives"}},
                           "init\nbarrier world\nneeded only 2 4 5\nneeded only 4\nneeded\n"
                           " 0,  0\nneeded only 9 4 10 and 1\n"
                           "needed only 13 12\nfinalize\nneeded\n");
}

/// MPICH polls after every eighth request, also when it has found one that is complete.
TEST(ShimCalls, TellsHowOftenTheLibraryMayPollInVain) {
    expect_of_each_library(
        {.arguments = {"looks"}},
        "init\nbarrier world\nvain 0\nvain 5\nvain 250\nneeded only\nfinalize\n");
}

/// Four for each, and one for each 4 KiB; twice as many with an answer.
TEST(ShimCalls, TellsOfEachStepOfAccumulatesOnce) {
    expect_of_each_library({.arguments = {"accumulates"}},
                           "init\nbarrier world\nsteps 0\nsteps 4\nsteps 0\nsteps 4108\n"
                           "steps 12\nsteps 32\nfinalize\n");
}

TEST(ShimCalls, TellsWhetherACallDoesNothingButWaitForMessages) {
    expect_of_each_library({.arguments = {"waits-for-messages"}},
                           "needed\ninit\nbarrier world\nneeded only 1\nneeded\n"
                           "needed only 3\nneeded only\nneeded\nfinalize\n");
}

/// Elements by number: 4 double, 9 int32, 5 float complex, 0 nothing is known.
TEST(ShimCalls, TellsWhatMessagesConsistOf) {
    // Of a point-to-point call, one message only. A type inside another one is freed again.
    // After a nonblocking collective the next collective's messages may be that one's.
    expect_of_each_library(
        {.arguments = {"contents"}, .environment = {"KUMI_SEGMENT=contents", "PMI_RANK=0"}},
        "init\nbarrier world\n"
        "MPI_Isend 4, MPI_Isend 0\nMPI_Isend 9, MPI_Isend 0\nMPI_Isend 5, MPI_Isend 0\n"
        "MPI_Isend 4, MPI_Isend 0\nMPI_Isend 0, MPI_Isend 0\n"
        "free 3\nMPI_Isend 4, MPI_Isend 0\n"
        "free 3\nMPI_Isend 4 protected 16, MPI_Isend 0\n"
        "mpi_isend 4, mpi_isend 0\n"
        "MPI_Bcast 4, MPI_Bcast 4\nMPI_Bcast 0, MPI_Bcast 0\n"
        "MPI_Bcast 4, MPI_Bcast 4\nfree 1\nfree 3\nMPI_Bcast 4, MPI_Bcast 4\n"
        "described 0 2\n"
        "MPI_Ibcast 4, MPI_Ibcast 4\nMPI_Ibcast 0, MPI_Ibcast 0\n"
        "MPI_Bcast 0, MPI_Bcast 0\nMPI_Isend 4, MPI_Isend 0\nfinalize\n");
}

TEST(ShimCalls, AsksForNoDatatypesUnlessTheRunWantsToKnow) {
    const ProbeResult result = complete_probe({.arguments = {"contents"}});
    EXPECT_EQ(result.output.find("MPI_Isend 4"), std::string::npos);
    EXPECT_NE(result.output.find("described 0 0\n"), std::string::npos);
}

/// The numbers say that neither a module nor a place in it was unknown.
TEST(ShimCalls, TellsAtWhichPlacesTheProgramCalls) {
    const ProbeResult result = complete_probe(
        {.arguments = {"calls"}, .environment = {"KUMI_SEGMENT=sites", "PMI_RANK=0"}});
    EXPECT_EQ(result.log,
              "attach\njoin\n"
              "enter blocking MPI_Send\nsite 1: MPI_Send 0 0\nat site 1\nleave\n"
              "enter blocking mpi_send\nsite 2: mpi_send 0 0\nat site 2\nleave\n"
              "enter blocking mpi_send\nsite 3: mpi_send 0 0\nat site 3\nleave\n"
              "enter polling MPI_Iprobe\nsite 4: MPI_Iprobe 0 0\nat site 4\nleave\n"
              "enter probing MPI_Probe\nsite 5: MPI_Probe 0 0\nat site 5\nleave\n"
              "enter window MPI_Win_fence\nsite 6: MPI_Win_fence 0 0\nat site 6\nleave\n"
              "finish 0\n");
}

TEST(ShimCalls, TellsWhereTheCallsOfAProfileEnd) {
    const ProbeResult result = complete_probe(
        {.arguments = {"wake-calls"}, .environment = {"KUMI_SEGMENT=profile", "PMI_RANK=0"}});
    const std::string begin = "enter blocking MPI_Send\n";
    const std::string end = "ends at place 1, 1 members\nleave\n";
    const std::string first = begin + "place 1: MPI_Send 0 0\n" + end;
    const std::string other = begin + end;
    EXPECT_EQ(result.log, "attach\njoin\n" + first + other + other + other + "finish 400000000\n");
}

TEST(ShimCalls, PersistentReceivesAreKnownByTheCallThatStartsThem) {
    const ProbeResult result = complete_probe({.arguments = {"persistent"}});
    EXPECT_EQ(result.output,
              "init\nbarrier world\nneeded only 1 2\nneeded only 1\nneeded only 2\nneeded only\n"
              "finalize\n");
    EXPECT_TRUE(
        result.log.starts_with("attach\njoin\n"
                               "enter blocking MPI_Startall\nleave\n"
                               "enter blocking MPI_Start\nleave\n"));
    EXPECT_TRUE(
        result.log.ends_with("enter blocking MPI_Ssend_init\nleave\n"
                             "enter synchronous MPI_Start\nleave\n"
                             "finish 0\n"));
}

TEST(ShimCalls, FindsALibraryThatWasLoadedLocally) {
    const ProbeResult result = complete_probe({.program = "probe_host", .arguments = {"calls"}});
    EXPECT_EQ(result.log, run_probe({.arguments = {"calls"}}).log);
}

TEST(ShimCalls, SaysNothingOutsideOfARun) {
    for (const auto& environment : {std::vector<std::string>{}, kNoRank, {"PMI_RANK=0"}}) {
        const ProbeResult result =
            complete_probe({.arguments = {"calls"}, .environment = environment});
        EXPECT_EQ(result.output, "init\nfinalize\n");
        EXPECT_EQ(result.log, "");
    }
}

TEST(ShimCalls, BeforeOpenMpiItDefinesNothingThatOpenMpiLacks) {
    const ProbeResult result = complete_probe(
        {.program = "probe_openmpi", .arguments = {"large-count"}, .shim = KUMI_SHIM_OPEN_MPI});
    EXPECT_EQ(result.output, "MPI_Send_c lacks\n");
}

TEST(ShimCalls, AFunctionThatTheLibraryLacksIsNamed) {
    const ProbeResult result = run_probe({.arguments = {"large-count"}});
    EXPECT_EQ(result.output, "MPI_Send_c exists\n");
    EXPECT_EQ(result.complaints.substr(0, result.complaints.find('\n')),
              "kumihimo: the loaded MPI library has no function PMPI_Send_c");
    EXPECT_NE(result.exit_code, 0);
}

TEST(ShimCalls, AbortIsNotedBeforeTheLibraryActs) {
    for (const char* program : {"probe_mpich", "probe_abi", "probe_openmpi", "probe_host"}) {
        const ProbeResult result = run_probe({.program = program, .arguments = {"abort", "33"}});
        EXPECT_EQ(result.exit_code, 33) << program;
        EXPECT_EQ(result.output, "init\nbarrier world\nabort world 33\n") << program;
        EXPECT_EQ(result.log, "attach\njoin\naborts 33\n") << program;
    }
}

TEST(ShimCalls, SpawnEndsTheRunIfErrorsDo) {
    for (const char* program : {"probe_mpich", "probe_abi", "probe_openmpi", "probe_host"}) {
        const ProbeResult result = run_probe({.program = program, .arguments = {"spawn"}});
        EXPECT_EQ(result.exit_code, 1) << program;
        EXPECT_EQ(result.output, "init\nbarrier world\n") << program;
        EXPECT_EQ(result.log,
                  "attach\njoin\nrefuse MPI_Comm_spawn is not supported in a simulated run: its "
                  "number of processes is fixed\n")
            << program;
    }
}

TEST(ShimCalls, SpawnReturnsAnErrorIfErrorsReturn) {
    const std::pair<const char*, const char*> codes[] = {
        {"probe_mpich", "42"}, {"probe_abi", "53"}, {"probe_openmpi", "50"}};
    for (const auto& [program, code] : codes) {
        const ProbeResult result =
            complete_probe({.program = program, .arguments = {"spawn", "other"}});
        EXPECT_EQ(result.output, std::string("init\nbarrier world\nerror of spawning\nspawned ") +
                                     code + " 1 " + code + " 0\nfinalize\n")
            << program;
        EXPECT_EQ(result.log, "attach\njoin\nrefused MPI_Comm_spawn\nfinish 0\n") << program;
        EXPECT_EQ(result.complaints,
                  "kumihimo: MPI_Comm_spawn is not supported in a simulated run: its number of "
                  "processes is fixed; the program gets an error\n")
            << program;
    }
}

TEST(ShimCalls, SpawnIsForwardedOutsideOfARun) {
    const ProbeResult result = complete_probe({.arguments = {"spawn"}, .environment = kNoRank});
    EXPECT_EQ(result.output, "init\nspawned 77 0 0 0\nfinalize\n");
}

TEST(ShimCalls, RequestsThatNoMessageCompletesAreTold) {
    const ProbeResult result = run_probe({.arguments = {"generalized"}});
    EXPECT_EQ(result.output,
              "starts\ninit\nbarrier world\nstarts\ncompletes\nfinalize\ncompletes\n");
    EXPECT_EQ(result.log, "attach\njoin\nbegins outside\nends outside by itself\nfinish 0\n");
}

TEST(ShimCalls, AChildOfARankIsNoRank) {
    const ProbeResult result = complete_probe({.arguments = {"fork"}});
    EXPECT_EQ(result.output, "init\nbarrier world\nchild 90100 0\nparent 1\nfinalize\n");
    EXPECT_NE(result.complaints.find("a child process of rank 0 calls MPI_Send: only the rank"),
              std::string::npos)
        << result.complaints;
    EXPECT_EQ(result.log, "attach\njoin\nsleep 100000000000000\nfinish 100000000000000\n");
}

TEST(ShimCalls, ExplicitComputeTime) {
    const ProbeResult result = complete_probe({.arguments = {"compute"}});
    EXPECT_EQ(result.output,
              "before 0 0\nearly 0\ninit\nbarrier world\nsimulated 1\n"
              "seconds 0 1.500000000\nflops 0 3.500000000\nwrong -1 -1 -1 -1 -1\n"
              "compute 0\nat the end 4.500000000\nfinalize\nafter 0 0\n");
}

TEST(ShimCalls, ExplicitComputeTimeIsNothingOutsideOfARun) {
    const std::string expected =
        "before 0 0\nearly 0\ninit\nsimulated 0\nseconds 0 0.000000000\nflops 0 0.000000000\n"
        "wrong -1 -1 -1 -1 0\ncompute 0\nat the end 0.000000000\nfinalize\nafter 0 0\n";
    EXPECT_EQ(run_probe({.arguments = {"compute"}, .environment = {}}).output, expected);
    EXPECT_EQ(run_probe({.arguments = {"compute"}, .environment = {}, .shim = ""}).output,
              expected);
}

}  // namespace
}  // namespace kumi::mpi
