#include "conductor/rank_data/run_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <set>
#include <vector>

#include "base/testing/arena_for_tests.hpp"

namespace kumi::conductor {
namespace {

class RunQueueTest : public testing::Test {
   protected:
    ArenaForTests arena{std::size_t{1} << 20};
};

TEST_F(RunQueueTest, RanksOfOneInstantComeInTheirOrder) {
    RunQueue queue(&*arena, 3);
    queue.push({Instant{5}, 2});
    queue.push({Instant{5}, 0});
    queue.push({Instant{5}, 1});
    EXPECT_EQ(queue.pop().rank, 0U);
    EXPECT_EQ(queue.pop().rank, 1U);
    EXPECT_EQ(queue.pop().rank, 2U);
    EXPECT_TRUE(queue.empty());
}

TEST_F(RunQueueTest, MoreEntriesThanRanksEndTheProcess) {
    RunQueue queue(&*arena, 1);
    queue.push({Instant{1}, 0});
    EXPECT_DEATH(queue.push({Instant{2}, 0}), "twice");
}

TEST_F(RunQueueTest, TheRankThatRanLastIsReadyFirst) {
    ReadyRanks ready(&*arena, 3);
    ready.push({7, false, 0});
    ready.push({9, false, 2});
    ready.push({8, false, 1});
    EXPECT_EQ(ready.pop().rank, 2U);
    EXPECT_EQ(ready.pop().rank, 1U);
    EXPECT_EQ(ready.pop().rank, 0U);
}

TEST_F(RunQueueTest, OfThoseThatComputeForLongTheOneThatRanFirstIsReadyFirst) {
    ReadyRanks ready(&*arena, 4);
    ready.push({20, false, 0});
    ready.push({9, true, 3});
    ready.push({7, true, 1});
    ready.push({8, true, 2});
    for (const std::uint32_t rank : {1U, 2U, 3U, 0U}) EXPECT_EQ(ready.pop().rank, rank);
}

TEST_F(RunQueueTest, OfThosePreferredTheFirstIsTaken) {
    ReadyRanks ready(&*arena, 4);
    for (std::uint32_t rank = 0; rank < 4; ++rank) ready.push({rank, true, rank});
    const auto is_odd = [](std::uint32_t rank) { return rank % 2 != 0; };
    for (const std::uint32_t rank : {1U, 3U, 0U, 2U})
        EXPECT_EQ(ready.pop_preferred(is_odd).rank, rank);
    EXPECT_TRUE(ready.empty());
}

TEST_F(RunQueueTest, WhoLeavesWithoutBeingInItEndsTheProcess) {
    ReadyRanks ready(&*arena, 2);
    ready.push({1, false, 0});
    EXPECT_DEATH(ready.remove(1), "leaves");
}

/// Ranks come and go; the first is always the least of a set.
template <class Queue, class Make>
void agrees_with_a_set(ArenaForTests& arena, Make make) {
    const auto ranks = *rc::gen::inRange<std::uint32_t>(1, 40);
    Queue queue(&*arena, ranks);
    std::set<typename Queue::Entry> model;
    std::vector<std::optional<typename Queue::Entry>> inside(ranks);
    const auto take_from_model = [&](const typename Queue::Entry& entry) {
        model.erase(entry);
        inside[entry.rank].reset();
    };
    const auto steps =
        *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, ranks));
    for (const std::uint32_t rank : steps) {
        if (!inside[rank]) {
            inside[rank] = make(*rc::gen::inRange<std::uint8_t>(0, 20), rank);
            queue.push(*inside[rank]);
            model.insert(*inside[rank]);
        } else if (*rc::gen::arbitrary<bool>()) {
            queue.remove(rank);
            take_from_model(typename Queue::Entry(*inside[rank]));
        } else {
            const auto popped = queue.pop();
            RC_ASSERT(popped.rank == model.begin()->rank);
            take_from_model(popped);
        }
        RC_ASSERT(queue.empty() == model.empty());
        if (!model.empty()) RC_ASSERT(queue.top().rank == model.begin()->rank);
    }
    for (; !model.empty(); model.erase(model.begin()))
        RC_ASSERT(queue.pop().rank == model.begin()->rank);
    RC_ASSERT(queue.empty());
}

RC_GTEST_FIXTURE_PROP(RunQueueTest, AgreesWithASet, ()) {
    agrees_with_a_set<RunQueue>(arena, [](std::uint8_t clock, std::uint32_t rank) {
        return RunnableRank{Instant{clock}, rank};
    });
}

RC_GTEST_FIXTURE_PROP(RunQueueTest, ReadyRanksAgreeWithASet, ()) {
    agrees_with_a_set<ReadyRanks>(arena, [](std::uint8_t ran_last, std::uint32_t rank) {
        return ReadyRank{ran_last / 2U, ran_last % 2 == 1, rank};
    });
}

}  // namespace
}  // namespace kumi::conductor
