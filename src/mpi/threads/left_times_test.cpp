#include "mpi/threads/left_times.hpp"

#include <gtest/gtest.h>

#include <array>

namespace kumi::mpi::left_times {
namespace {

struct LeftTimes : testing::Test {
    ~LeftTimes() override {
        for (const char& object : objects) forget(&object);
    }
    std::array<char, 40'000> objects{};
};

TEST_F(LeftTimes, TheLatestStays) {
    EXPECT_FALSE(find(&objects[0]));
    leave(&objects[0], {.begin_ns = 3, .end_ns = 20});
    leave(&objects[0], {.begin_ns = 1, .end_ns = 10});
    ASSERT_TRUE(find(&objects[0]));
    EXPECT_EQ(find(&objects[0])->begin_ns, 3);
    EXPECT_EQ(find(&objects[0])->end_ns, 20);
    EXPECT_FALSE(find(&objects[1]));
    EXPECT_GE(latest_ns(), 20);
}

TEST_F(LeftTimes, AnObjectIsForgotten) {
    leave(&objects[0], {.begin_ns = 0, .end_ns = 20});
    forget(&objects[0]);
    EXPECT_FALSE(find(&objects[0]));
    leave(&objects[0], {.begin_ns = 0, .end_ns = 10});
    EXPECT_EQ(find(&objects[0])->end_ns, 10);
}

TEST_F(LeftTimes, WithoutRoomTheEarliestGo) {
    constexpr std::size_t kMany = 5'000;
    for (std::size_t i = 0; i < kMany; ++i)
        leave(&objects[8 * i], {.begin_ns = 0, .end_ns = static_cast<std::int64_t>(1 + i)});
    std::size_t found = 0;
    for (std::size_t i = 0; i < kMany; ++i)
        if (const auto left = find(&objects[8 * i])) {
            EXPECT_EQ(left->end_ns, static_cast<std::int64_t>(1 + i));
            ++found;
        }
    EXPECT_LE(found, 2048U);
    EXPECT_GT(found, 1024U);
    // What was left last is there, and neighbours share the sets evenly.
    for (std::size_t i = kMany - 1'000; i < kMany; ++i) EXPECT_TRUE(find(&objects[8 * i])) << i;
}

}  // namespace
}  // namespace kumi::mpi::left_times
