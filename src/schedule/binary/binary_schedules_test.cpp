#include "schedule/binary/binary_schedules.hpp"

#include "schedule/testing/schedules_under_test.hpp"

namespace kumi::schedule {
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

/// The complaint about the bytes with another one in this place.
std::string complaint_about(std::string bytes, std::size_t place, char value) {
    bytes[place] = value;
    return complaint_of([&] { from(bytes); });
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
        EXPECT_TRUE(says(complaint, "the data end within")) << size << complaint;
    }
    EXPECT_TRUE(says(complaint_of([&] { from(bytes + "x"); }), "the data go on"));
}

TEST(BinaryFormat, RefusesOtherVersionsAndOtherFiles) {
    std::string bytes = small_one();
    for (const char version : {'\1', '\5'}) {
        bytes[8] = version;
        EXPECT_EQ(complaint_of([&] { from(bytes); }), "byte 12: the version is " +
                                                          std::to_string(int{version}) +
                                                          ", only 2 to 4 can be read");
    }
    bytes[0] = 'X';
    EXPECT_EQ(complaint_of([&] { from(bytes); }), "byte 8: this is no schedule in binary form");
}

TEST(BinaryFormat, HasWhatIsApproximateInVersionThree) {
    const std::string bytes =
        bytes_of(goal("num_ranks 2\nexact_messages unprotected\nrank 0 {\n"
                      "send 8b to 1 approximate double 16 important_first by MPI_Send\n"
                      "send 8b to 1 approximate float 0\n}\n"));
    EXPECT_EQ(bytes.size(), 8u + 8 + 8 + 2 * 48 + 8 + 2 * 24 + 8);
    EXPECT_EQ(bytes.substr(8, 16), std::string("\3\0\0\0\2\0\0\0\0\0\0\0\2\0\0\0", 16));
    EXPECT_EQ(bytes.substr(24, 17), std::string("\4\20\2\0\0\0\0\0MPI_Send\0", 17));
    // The operations' numbers of their contents.
    constexpr std::size_t kFirst = 24 + 2 * 48 + 8 + 22, kSecond = kFirst + 24;
    const auto changed = std::bind_front(complaint_about, bytes);
    EXPECT_TRUE(says(changed(kFirst, 1), "the contents of messages are in disorder"));
    EXPECT_TRUE(says(changed(kSecond, 0), "there are contents of no message"));
    EXPECT_TRUE(says(changed(kSecond, 2), "it is not said what"));
    EXPECT_TRUE(says(changed(24, 0), "no type of numbers"));
    EXPECT_TRUE(says(changed(26, 3), "has an impossible value"));
    EXPECT_TRUE(says(changed(32, ' '), "is no word"));
    EXPECT_TRUE(says(changed(16, 2), "protected or not"));
    // Of an older file.
    EXPECT_NE(changed(8, 2), "");
}

TEST(BinaryFormat, HasPollsAndWildcardsInVersionFour) {
    const std::string bytes =
        bytes_of(goal("num_ranks 2\nrecorded_polls 3\nrecorded_wildcards 258\n"));
    EXPECT_EQ(bytes.size(), 16u + 24 + 2 * 8);
    EXPECT_EQ(bytes.substr(8, 32), std::string("\4\0\0\0\2\0\0\0\3\0\0\0\0\0\0\0"
                                               "\2\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
                                               32));
    const Schedule read = from(bytes);
    EXPECT_EQ(read.recorded_order(), (RecordedOrder{.polls = 3, .wildcards = 258}));
    const auto changed = std::bind_front(complaint_about, bytes);
    EXPECT_TRUE(says(changed(32, 2), "have errors or not"));
    EXPECT_TRUE(says(changed(36, 1), "zeros are missing in the header"));
    EXPECT_TRUE(says(changed(23, '\x7f'), "more than 2^62"));
    std::string none = bytes;
    none.replace(16, 16, 16, '\0');
    EXPECT_TRUE(says(complaint_of([&] { from(none); }), "neither polls nor"));
    EXPECT_TRUE(
        says(complaint_of([&] { from(bytes.substr(0, 20)); }), "within the number of polls"));
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
}  // namespace kumi::schedule
