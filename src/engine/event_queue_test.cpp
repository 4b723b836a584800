#include "engine/event_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <vector>

#include "base/random/random_stream.hpp"
#include "base/testing/arena_for_tests.hpp"

namespace kumi::engine {
namespace {

Event event(std::int64_t time_ps, std::uint64_t sequence) {
    return {EventKey::of(Instant{time_ps}, EventClass::kForward, 1, sequence), sequence};
}

Event take(EventQueue& queue) {
    queue.settle();
    return queue.take();
}

class EventQueueTest : public testing::Test {
   protected:
    ArenaForTests arena;
    EventQueue queue{&*arena};
};
using EventQueueDeathTest = EventQueueTest;

TEST_F(EventQueueTest, IsEmptyAtFirstAndAgainAtLast) {
    EXPECT_TRUE(queue.empty());
    queue.push(event(5, 0));
    EXPECT_EQ(queue.size(), 1U);
    EXPECT_EQ(take(queue).key.time, Instant{5});
    EXPECT_TRUE(queue.empty());
    queue.settle();
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.top(), nullptr);
}

TEST_F(EventQueueTest, TakesTiesInTheOrderOfTheirKeys) {
    for (const std::uint64_t sequence : {3, 1, 4, 0, 2}) queue.push(event(7, sequence));
    for (std::uint64_t sequence = 0; sequence < 5; ++sequence) {
        EXPECT_EQ(take(queue).payload, sequence);
    }
}

TEST_F(EventQueueTest, GrowsAndKeepsEverything) {
    constexpr std::uint64_t kEvents = 100'000;
    for (std::uint64_t i = 0; i < kEvents; ++i) {
        queue.push(event(static_cast<std::int64_t>(i * 7919 % kEvents), i));
    }
    for (std::uint64_t i = 0; i < kEvents; ++i) {
        ASSERT_EQ(take(queue).key.time.ps, static_cast<std::int64_t>(i));
    }
    EXPECT_TRUE(queue.empty());
}

/// Few at a time: they lie in one block, which they go through many times.
TEST_F(EventQueueTest, KeepsTheOrderOfEventsThatFollowEachOther) {
    for (std::uint64_t i = 0; i < 1000; ++i) {
        queue.push(event(static_cast<std::int64_t>(i), i));
        if (i >= 20) ASSERT_EQ(take(queue).payload, i - 20);
    }
    EXPECT_EQ(queue.size(), 20U);
}

TEST_F(EventQueueDeathTest, NothingCanBeTakenFromAnEmptyQueue) {
    queue.push(event(1, 1));
    (void)take(queue);
    EXPECT_DEATH((void)take(queue), "empty queue");
}

/// A queue that cannot be wrong: payloads by their events' keys.
using SortedEvents = std::map<EventKey, std::uint64_t>;

Event take(SortedEvents& events) {
    const auto [key, payload] = *events.begin();
    events.erase(events.begin());
    return {key, payload};
}

/// Random pushes, takes and settles, in all orders; few distinct times, so that ties are common.
RC_GTEST_PROP(EventQueue, BehavesLikeASortedMap, ()) {
    ArenaForTests arena;
    EventQueue queue(&*arena);
    SortedEvents expected;
    std::uint64_t sequence = 0;
    const auto steps = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint8_t>>>(
        rc::gen::pair(rc::gen::inRange<std::uint8_t>(0, 5), rc::gen::arbitrary<std::uint8_t>()));
    for (const auto& [step, number] : steps) {
        if (step < 3) {
            const auto key =
                EventKey::of(Instant{number % 16}, EventClass::kForward, number / 16U, sequence++);
            queue.push({key, number});
            expected.emplace(key, number);
        } else if (expected.size() != 0) {
            const Event taken = take(queue);
            const Event wanted = take(expected);
            RC_ASSERT(taken.key == wanted.key);
            RC_ASSERT(taken.payload == wanted.payload);
            if (step == 4) queue.settle();
        }
        RC_ASSERT(queue.size() == expected.size());
    }
    queue.settle();
    while (expected.size() != 0) {
        RC_ASSERT(queue.top()->key == expected.begin()->first);
        RC_ASSERT(take(queue).key == take(expected).key);
        queue.settle();
    }
    RC_ASSERT(queue.empty());
}

/// Thousands of events, some at one instant, some soon, some much later, and a few in the past.
void check_against_sorted_map(std::uint64_t seed, int most_events) {
    ArenaForTests arena;
    EventQueue queue(&*arena);
    SortedEvents expected;
    RandomStream random = RandomStreams(seed, "test").stream();
    std::int64_t now_ps = 0;
    std::uint64_t sequence = 0;
    bool grows = true;
    for (int step = 0; step < 60'000; ++step) {
        if (expected.size() == 0) grows = true;
        if (static_cast<int>(expected.size()) >= most_events) grows = false;
        const bool pushes = random.below(8) < (grows ? 5 : 3) || expected.size() == 0;
        if (pushes) {
            const std::int64_t ahead[] = {0,
                                          1,
                                          100'000,
                                          static_cast<std::int64_t>(random.below(1'000)),
                                          static_cast<std::int64_t>(random.below(1'000'000'000)),
                                          -static_cast<std::int64_t>(random.below(50))};
            const auto choice = random.below(100);
            const std::int64_t delay = ahead[choice < 95 ? choice % 5 : 5];
            const Instant when{std::max<std::int64_t>(0, now_ps + delay)};
            const Event added{EventKey::of(when, EventClass::kForward, random.below(4), sequence++),
                              sequence};
            queue.push(added);
            expected.emplace(added.key, added.payload);
        } else {
            ASSERT_EQ(queue.top()->key, expected.begin()->first);
            const Event taken = take(queue);
            ASSERT_EQ(taken.key, take(expected).key);
            now_ps = std::max(now_ps, taken.key.time.ps);
        }
        queue.settle();
        ASSERT_EQ(queue.size(), expected.size());
    }
}

TEST(EventQueue, BehavesLikeASortedMapWithManyEvents) {
    for (const int most_events : {300, 3'000, 20'000}) {
        check_against_sorted_map(static_cast<std::uint64_t>(most_events), most_events);
    }
}

TEST_F(EventQueueTest, KnowsTimesUpToTheEnd) {
    for (std::uint64_t i = 0; i < 1000; ++i) {
        queue.push(event(kNever.ps - 1 - static_cast<std::int64_t>(i % 2), i));
    }
    for (std::uint64_t i = 0; i < 1000; ++i) {
        EXPECT_EQ(take(queue).payload, 2 * (i % 500) + (i < 500 ? 1 : 0));
    }
    EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace kumi::engine
