#include "conductor/records/recorder.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/testing/arena_for_tests.hpp"
#include "base/testing/temporary_folder.hpp"
#include "conductor/testing/child_process.hpp"
#include "conductor/testing/ranks_under_test.hpp"
#include "conductor/testing/records_in.hpp"

namespace kumi::conductor {
namespace {

/// Each test is a process of its own: open files belong to the process.
class RecorderTest : public testing::Test {
   protected:
    ArenaForTests arena{std::size_t{1} << 21};
    TemporaryFolder directory;
};

TEST_F(RecorderTest, EveryRecordOfSeveralBuffersIsWrittenInOrder) {
    constexpr int kRecords = 20'000;
    EXPECT_EQ(in_child([&] {
                  Recorder recorder(&*arena, Detail::kFull);
                  recorder.set_directory(directory.path().c_str());
                  for (int i = 0; i < kRecords; ++i)
                      if (!recorder.add(StateRecord{i, i + 1, 7, 2, {}})) return 1;
                  return recorder.flush() ? 0 : 2;
              }),
              0);
    const auto records = records_in<StateRecord>(directory / "states.bin");
    ASSERT_EQ(std::ssize(records), kRecords);
    for (int i = 0; i < kRecords; ++i) {
        ASSERT_EQ(records[i].begin_ps, i);
        ASSERT_EQ(records[i].rank, 7U);
    }
}

TEST_F(RecorderTest, AFullDiskIsReportedAndNothingIsAppendedAfterwards) {
    std::filesystem::create_symlink("/dev/full", directory / "messages.bin");
    EXPECT_EQ(in_child([&] {
                  Recorder recorder(&*arena, Detail::kFull);
                  recorder.set_directory(directory.path().c_str());
                  bool added = true;
                  for (int i = 0; i < 4000 && added; ++i) added = recorder.add(MessageRecord{});
                  if (added || errno != ENOSPC) return 1;
                  return recorder.add(MessageRecord{}) ? 2 : 0;
              }),
              0);
}

TEST_F(RecorderTest, AFolderThatIsNotThereIsReported) {
    EXPECT_EQ(in_child([&] {
                  Recorder recorder(&*arena, Detail::kFull);
                  recorder.set_directory((directory / "missing").c_str());
                  if (!recorder.add(MessageRecord{})) return 1;
                  return recorder.flush() ? 2 : 0;
              }),
              0);
}

}  // namespace
}  // namespace kumi::conductor
