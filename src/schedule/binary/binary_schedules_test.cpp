#include "schedule/binary/binary_schedules.hpp"

#include <string>

#include "schedule/testing/schedules_under_test.hpp"

namespace kumi {
namespace {

std::string bytes_of(const Schedule& schedule) {
    std::ostringstream output;
    write_binary(schedule, output);
    return output.str();
}

Schedule from(const std::string& bytes) {
    std::istringstream input(bytes);
    return read_binary(input);
}

std::string small_one() {
    return bytes_of(goal("num_ranks 2\nrank 0 {\na: calc 1\nb: send 8b to 1\nb requires a\n}\n"));
}

TEST(BinaryFormat, WritesWhatItReads) {
    rc::check("round trip", [] {
        const Schedule schedule = arbitrary_schedule();
        RC_ASSERT(from(bytes_of(schedule)) == schedule);
    });
}

TEST(BinaryFormat, HasTheBytesOfVersionTwo) {
    const std::string bytes = small_one();
    EXPECT_EQ(bytes.size(), 8u + 8 + 8 + 2 * 24 + 8 + 8);
    EXPECT_EQ(bytes.substr(0, 16), std::string("KUMISCH\n\2\0\0\0\2\0\0\0", 16));
}

TEST(BinaryFormat, EveryPrefixIsTooShort) {
    const std::string bytes = small_one();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const std::string complaint = complaint_of([&] { from(bytes.substr(0, size)); });
        EXPECT_NE(complaint.find("the data end within"), std::string::npos) << size << complaint;
    }
    EXPECT_NE(complaint_of([&] { from(bytes + "x"); }).find("the data go on"), std::string::npos);
}

TEST(BinaryFormat, RefusesOtherVersionsAndOtherFiles) {
    std::string bytes = small_one();
    bytes[8] = 3;
    EXPECT_EQ(complaint_of([&] { from(bytes); }), "byte 12: the version is 3, only 2 can be read");
    bytes[0] = 'X';
    EXPECT_EQ(complaint_of([&] { from(bytes); }), "byte 8: this is no schedule in binary form");
}

TEST(BinaryFormat, AnyDamageGivesAScheduleOrAComplaint) {
    rc::check("damaged bytes", [] {
        std::string bytes = bytes_of(arbitrary_schedule());
        const auto changes = *rc::gen::inRange(1, 4);
        for (int i = 0; i < changes; ++i) {
            const auto place = *rc::gen::inRange<std::size_t>(16, bytes.size() + 1);
            if (place < bytes.size()) bytes[place] = static_cast<char>(*rc::gen::inRange(0, 256));
        }
        std::string written;
        const std::string complaint = complaint_of([&] { written = bytes_of(from(bytes)); });
        RC_ASSERT(complaint.empty() || complaint.rfind("byte ", 0) == 0);
        RC_ASSERT(!complaint.empty() || written.size() <= bytes.size());
    });
}

}  // namespace
}  // namespace kumi
