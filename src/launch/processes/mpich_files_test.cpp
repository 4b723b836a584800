#include "launch/processes/job_members.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/testing/temporary_folder.hpp"

namespace kumi::launch {
namespace {

TEST(MpichFiles, KnowsTheNumberByWhichMpichNamesAJob) {
    // Observed: MPICH 5.0.2 with key-value space "kvs" makes /dev/shm/mpich_shm_623612a5_0.
    EXPECT_EQ(mpich_world_id("kvs"), 0x623612a5U);
}

TEST(MpichFiles, RemovesTheFilesOfOneJobOnly) {
    const TemporaryFolder path;
    for (const char* name : {"mpich_shm_623612a5_0", "mpich_shm_623612a5_12",
                             "mpich_vci_623612a5_0", "mpich_shm_623612a_0", "other"}) {
        std::ofstream(path / name) << "x";
    }
    remove_mpich_shared_memory("kvs", path.path().c_str());
    EXPECT_FALSE(std::filesystem::exists(path / "mpich_shm_623612a5_0"));
    EXPECT_FALSE(std::filesystem::exists(path / "mpich_shm_623612a5_12"));
    EXPECT_FALSE(std::filesystem::exists(path / "mpich_vci_623612a5_0"));
    EXPECT_TRUE(std::filesystem::exists(path / "mpich_shm_623612a_0"));
    EXPECT_TRUE(std::filesystem::exists(path / "other"));
}

}  // namespace
}  // namespace kumi::launch
