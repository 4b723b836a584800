// What is asked for with one ring of the doorbell.

#include "mpi/wake/wake_list.hpp"

#include <gtest/gtest.h>

namespace kumi::mpi::wake {
namespace {

using namespace literals;

using Wakes = std::vector<conductor::WakeRequest>;

AwaitedMessages message(std::uint32_t target, Duration last) {
    return {.target = target, .count = 1, .early = last - 2_us, .last = last, .late = 3_us};
}

TEST(WakeList, AFrameIsEarlyAndHoldsUntilTheDataAreLate) {
    WakeList list(7_us);
    EXPECT_TRUE(list.is_empty());
    list.add(message(3, 20_us));
    list.add(message(4, 1_us));
    EXPECT_EQ(list.requests(), (Wakes{{3, 18_us, 2_us + 3_us}, {4, 0_us, 1_us + 3_us}}));
    list.clear();
    EXPECT_TRUE(list.is_empty());
}

TEST(WakeList, MessagesWithoutTimeToSleepInBetweenShareAFrame) {
    WakeList list(7_us);
    list.add(message(3, 20_us));
    list.add(message(4, 22_us));
    list.add(message(3, 27_us - 1_ps));
    list.add(message(3, 34_us - 1_ps));
    const auto wakes = list.requests();
    ASSERT_EQ(wakes.size(), 3U) << "the last one comes 7 us after the one before it";
    EXPECT_EQ(wakes[0].messages, 2U);
    EXPECT_EQ(wakes[0].delay, 18_us);
    EXPECT_EQ(wakes[0].hold, 9_us - 1_ps + 3_us);
    EXPECT_EQ(wakes[1].messages, 1U);
    EXPECT_EQ(wakes[2].delay, 32_us - 1_ps);
}

TEST(WakeList, TheLastMessageOfAGroupCounts) {
    WakeList list(7_us);
    list.add(
        {.target = 3, .count = 4, .early = 10_us, .last = 10_us, .late = 1_us, .length = 9_us});
    list.add(message(3, 25_us));
    EXPECT_EQ(list.requests(), (Wakes{{3, 10_us, 15_us + 3_us, 5}}));
}

TEST(WakeList, DataThatAreFetchedCrossTheLinksAsWell) {
    const auto requested = [](std::uint32_t count, std::uint32_t requests, Duration when,
                              Duration length) {
        return AwaitedMessages{.target = 3,
                               .count = count,
                               .requests = requests,
                               .early = when,
                               .last = when,
                               .length = length};
    };
    WakeList list(7_us);
    list.add(requested(2, 1, 0_us, 0_us));
    list.add(requested(1, 1, 1_us, 0_us));
    ASSERT_EQ(list.requests().size(), 1U);
    EXPECT_EQ(list.requests()[0].messages, 5U);
    // Far apart, each has a frame.
    list.clear();
    list.add(requested(3, 3, 0_us, 60_us));
    ASSERT_EQ(list.requests().size(), 3U);
    for (const conductor::WakeRequest& wake : list.requests()) EXPECT_EQ(wake.messages, 2U);
}

TEST(WakeList, AFrameForWhatIsOverHoldsFromNowOn) {
    WakeList list(7_us);
    list.add(message(3, 0_us - 2_us));
    list.add(message(3, 1_us));
    EXPECT_EQ(list.requests(), (Wakes{{3, 0_us, 1_us + 3_us, 2}}));
}

}  // namespace
}  // namespace kumi::mpi::wake
