#include "schedule/files/schedule_file.hpp"

#include <fstream>
#include <system_error>

#include "base/testing/temporary_folder.hpp"
#include "schedule/testing/schedules_under_test.hpp"

namespace kumi::schedule {
namespace {

class ScheduleFile : public testing::Test {
   protected:
    std::string path(const char* name) const { return x_folder / name; }

    TemporaryFolder x_folder;
};

TEST_F(ScheduleFile, FormsAreToldApartByTheirContents) {
    const Schedule schedule = goal("num_ranks 2\nrank 1 {\nsend 8b to 0\n}\n");
    for (const ScheduleForm form : {ScheduleForm::kGoal, ScheduleForm::kBinary}) {
        write_schedule_file(schedule, path("file"), form);
        EXPECT_EQ(read_schedule_file(path("file")), schedule);
    }
    // Nothing but the file is left.
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(x_folder.path()), {}), 1);
}

TEST_F(ScheduleFile, AMappedFileSaysTheSame) {
    rc::check("mapped and read", [this] {
        const Schedule schedule = arbitrary_schedule();
        write_schedule_file(schedule, path("file"), ScheduleForm::kBinary);
        const Schedule mapped = read_schedule_file(path("file"), 0);
        // What is mapped stays, also when the file's name is gone.
        std::filesystem::remove(path("file"));
        RC_ASSERT(mapped == schedule);
        RC_ASSERT(mapped.operations() == schedule.operations());
        RC_ASSERT(mapped.dependences() == schedule.dependences());
    });
}

TEST_F(ScheduleFile, AMappedFileIsCheckedLikeAnother) {
    write_schedule_file(goal("num_ranks 2\nrank 1 {\nsend 8b to 0\n}\n"), path("file"),
                        ScheduleForm::kBinary);
    std::fstream file(path("file"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(16 + 8 + 8 + 8);
    file.put(7);
    file.close();
    for (const std::uint64_t mapped_from_bytes : {std::uint64_t{0}, kMappedFromBytes}) {
        EXPECT_EQ(complaint_of([&] { read_schedule_file(path("file"), mapped_from_bytes); }),
                  path("file") + ": byte 56: rank 1: there is no rank 7 to send to, only 0 to 1");
    }
    std::filesystem::resize_file(path("file"), 30);
    EXPECT_NE(complaint_of([&] { read_schedule_file(path("file"), 0); }), "");
}

TEST_F(ScheduleFile, MistakesNameTheFile) {
    std::ofstream(path("bad.goal")) << "num_ranks 1\nrank 0 {\ncalc x\n}\n";
    EXPECT_EQ(complaint_of([&] { read_schedule_file(path("bad.goal")); }),
              path("bad.goal") + ":3: expected a time, not 'x'");
}

TEST_F(ScheduleFile, LinesOfOperationsAreFoundInTextAlone) {
    const char* text = "num_ranks 3\nrank 0 {\ncalc 1 calc 2\n\ncalc 3\n}\nrank 2 { calc 4 }\n";
    std::ofstream(path("some.goal")) << text;
    const std::vector<OperationPlace> places = {{2, 0}, {0, 2}, {0, 1}, {0, 3}, {1, 0}};
    EXPECT_EQ(find_lines_in_file(path("some.goal"), places),
              (std::vector<std::uint64_t>{7, 5, 3, 0, 0}));
    write_schedule_file(goal(text), path("some.bin"), ScheduleForm::kBinary);
    EXPECT_EQ(find_lines_in_file(path("some.bin"), places), std::vector<std::uint64_t>(5));
    EXPECT_EQ(find_lines_in_file(path("none"), places), std::vector<std::uint64_t>(5));
}

TEST_F(ScheduleFile, WhatCannotBeReadOrWrittenIsASystemError) {
    EXPECT_THROW(read_schedule_file(path("none")), std::system_error);
    EXPECT_THROW(write_schedule_file(Schedule(), path("none/file"), ScheduleForm::kGoal),
                 std::system_error);
    EXPECT_FALSE(std::filesystem::exists(path("none")));
}

}  // namespace
}  // namespace kumi::schedule
