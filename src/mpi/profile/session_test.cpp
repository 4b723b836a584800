// The profile of a program's calls, seen from outside.

#include <gtest/gtest.h>

#include <filesystem>

#include "base/testing/temporary_folder.hpp"
#include "mpi/code/code_places.hpp"
#include "mpi/testing/probe_run.hpp"

namespace kumi::mpi {
namespace {

class ProfileSession : public testing::Test {
   protected:
    /// A run in which each MPI_Send takes 2 µs and sends 64 bytes to rank 1.
    ProbeResult profile(const std::vector<std::string>& arguments) const {
        return run_probe({.arguments = arguments,
                          .environment = {"KUMI_SEGMENT=wakes", "PMI_RANK=3",
                                          "KUMI_CALL_SITES=" + x_folder.path().string()}});
    }
    bool is_written() const { return std::filesystem::exists(x_folder / "3"); }
    std::string written() const { return contents_of((x_folder / "3").c_str()); }

   private:
    TemporaryFolder x_folder;
};

TEST_F(ProfileSession, TellsDistancesTimesAndTargetsOfTheProgramsCalls) {
    const ProbeResult result = profile({"wake-calls"});
    EXPECT_EQ(result.exit_code, 0) << result.complaints;
    const std::string text = written();
    // Four rounds of 100 µs of work: the squares' sum is 4e16.
    EXPECT_EQ(text.find("MPI_Send\t"), 0U) << text;
    EXPECT_NE(text.find("\t4\t100000000\t100000000\t400000000\t0\t40000000000000000\t"),
              std::string::npos)
        << text;
    EXPECT_TRUE(text.ends_with("\t8000000\t4\t256\t1\t1\t1\n")) << text;
}

TEST_F(ProfileSession, IsWrittenWhenTheProgramAborts) {
    EXPECT_FALSE(is_written());
    profile({"abort", "7"});
    EXPECT_TRUE(is_written());
}

}  // namespace
}  // namespace kumi::mpi
