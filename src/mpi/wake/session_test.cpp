// Wake-ups of a program in a run whose links take wake frames, seen from outside.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "mpi/testing/probe_run.hpp"

namespace kumi::mpi {
namespace {

/// The double's links take wake frames: a lead of 8 µs; each MPI_Send sends to rank 1 and takes 2
/// us.
constexpr const char* kWakes = "KUMI_SEGMENT=wakes";

std::vector<std::string> wakes_of(const ProbeResult& result) {
    std::vector<std::string> found;
    std::istringstream log(result.log);
    for (std::string line; std::getline(log, line);)
        if (line.starts_with("wake")) found.push_back(line);
    return found;
}

TEST(WakeSession, APlaceOfTheProgramWakesAfterItsFirstTime) {
    const ProbeResult result =
        complete_probe({.arguments = {"wake-place"}, .environment = {kWakes, "PMI_RANK=0"}});
    const auto wakes = wakes_of(result);
    // Four rounds of 100 µs of work, of which the place leaves 20 before the call. As the fourth
    // is not over, a lead earlier than is needed.
    ASSERT_GE(wakes.size(), 2U) << result.log;
    EXPECT_EQ(wakes.back(), "wake 1 in 4875000 for 12000000");
}

TEST(WakeSession, PredictionNeedsNoPlaces) {
    const ProbeResult result = complete_probe(
        {.arguments = {"wake-calls"}, .environment = {kWakes, "PMI_RANK=0", "KUMI_PREDICT=on"}});
    const auto wakes = wakes_of(result);
    ASSERT_GE(wakes.size(), 2U) << result.log;
    EXPECT_EQ(wakes.back(), "wake 1 in 84875000 for 12000000");
}

TEST(WakeSession, NothingIsPredictedUnasked) {
    const ProbeResult result =
        run_probe({.arguments = {"wake-calls"}, .environment = {kWakes, "PMI_RANK=0"}});
    EXPECT_TRUE(wakes_of(result).empty()) << result.log;
}

TEST(WakeSession, HintsSayWhatWasUnderstood) {
    for (const char* segment : {kWakes, "KUMI_SEGMENT=fake"}) {
        const ProbeResult result =
            complete_probe({.arguments = {"hints"}, .environment = {segment, "PMI_RANK=0"}});
        EXPECT_EQ(result.output,
                  "init\nbarrier world\n"
                  "wake 0 -1 -1\nmembers 0 0 -1\nhint 0 0 0 -1 -1 -1\nfinalize\n");
        const auto wakes = wakes_of(result);
        if (segment == kWakes) {
            // By rank; a member; all; and the same as text.
            EXPECT_EQ(wakes.size(), 5U) << result.log;
            EXPECT_EQ(std::count(wakes.begin(), wakes.end(), "wake 1 in 0 for 128000000"), 5);
        } else {
            EXPECT_TRUE(wakes.empty());
        }
    }
}

TEST(WakeSession, CommunicatorsOfTwoGroupsAndNone) {
    for (const char* program : {"probe_mpich", "probe_abi", "probe_openmpi"}) {
        const bool is_open_mpi = program == std::string_view("probe_openmpi");
        const ProbeResult result =
            complete_probe({.program = program,
                            .arguments = {"other-communicators"},
                            .environment = {kWakes, "PMI_RANK=0"},
                            .shim = is_open_mpi ? KUMI_SHIM_OPEN_MPI : KUMI_SHIM});
        EXPECT_EQ(result.output, "init\nbarrier world\ntwo groups 0 -1 0\nnone -1 -1\nfinalize\n");
        // To the other side's second rank, twice; this rank is its first.
        EXPECT_EQ(wakes_of(result).size(), 2U) << result.log;
    }
}

TEST(WakeSession, OutsideOfARunHintsAreTakenForNothing) {
    const ProbeResult result = run_probe({.arguments = {"hints"}, .environment = {}, .shim = ""});
    EXPECT_EQ(result.output, "init\nwake 0 0 0\nmembers 0 0 0\nhint 0 0 0 0 0 -1\nfinalize\n");
}

}  // namespace
}  // namespace kumi::mpi
