// Replays over networks in which some hosts have no path to others.

#include <gtest/gtest.h>

#include "network/testing/gap_under_test.hpp"
#include "schedule/testing/replay_under_test.hpp"

namespace kumi::schedule {
namespace {

Replayed replay_beside_lonely_host(const std::string& text) {
    return Platform(network::lonely_host()).replay(goal(text));
}

TEST(ReplayUnconnected, RanksThatDoNotTalkNeedNoPath) {
    const auto replay = replay_beside_lonely_host(R"(num_ranks 3
rank 0 {
send 1000b to 1
}
rank 1 {
recv 1000b from 0
}
rank 2 {
calc 7
}
)");
    EXPECT_FALSE(replay->unconnected());
    expect_complete(*replay);
    EXPECT_EQ(replay->virtual_time(), at(100_ns + 1000_ns));
}

TEST(ReplayUnconnected, TheFirstMessageWithoutAPathIsTheEnd) {
    const auto replay = replay_beside_lonely_host(R"(num_ranks 3
rank 0 {
word: send 1000b to 1
}
rank 1 {
word: recv 1000b from 0
reply: send 8b to 2
reply requires word
}
rank 2 {
recv 8b from 1
}
)");
    ASSERT_TRUE(replay->unconnected());
    EXPECT_EQ(replay->unconnected()->from, 1U);
    EXPECT_EQ(replay->unconnected()->to, 2U);
    EXPECT_FALSE(replay->is_complete());
    EXPECT_EQ(replay->network().counters().arrived_messages, 1U);
    EXPECT_EQ(replay->virtual_time(), at(100_ns + 1000_ns));
    EXPECT_FALSE(replay->advance(1000));
    EXPECT_EQ(replay->network().counters().arrived_messages, 1U);
}

}  // namespace
}  // namespace kumi::schedule
