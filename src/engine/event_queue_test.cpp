#include "engine/event_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "base/arena_for_tests.hpp"

namespace kumi {
namespace {

Event event(std::int64_t time_ps, std::uint64_t sequence) {
    return {EventKey::of(Instant{time_ps}, EventClass::kForward, 1, sequence), sequence};
}

TEST(EventQueue, IsEmptyAtFirstAndAgainAtLast) {
    ArenaForTests arena;
    EventQueue queue(&*arena);
    EXPECT_TRUE(queue.empty());
    queue.push(event(5, 0));
    EXPECT_EQ(queue.size(), 1U);
    EXPECT_EQ(queue.take().key.time, Instant{5});
    EXPECT_TRUE(queue.empty());
    queue.settle();
    EXPECT_TRUE(queue.empty());
}

TEST(EventQueue, TakesTiesInTheOrderOfTheirKeys) {
    ArenaForTests arena;
    EventQueue queue(&*arena);
    for (const std::uint64_t sequence : {3, 1, 4, 0, 2}) queue.push(event(7, sequence));
    for (std::uint64_t sequence = 0; sequence < 5; ++sequence) {
        EXPECT_EQ(queue.take().payload, sequence);
    }
}

TEST(EventQueue, GrowsAndKeepsEverything) {
    ArenaForTests arena;
    EventQueue queue(&*arena);
    constexpr std::uint64_t kEvents = 100'000;
    for (std::uint64_t i = 0; i < kEvents; ++i) {
        queue.push(event(static_cast<std::int64_t>(i * 7919 % kEvents), i));
    }
    for (std::uint64_t i = 0; i < kEvents; ++i) {
        ASSERT_EQ(queue.take().key.time.ps, static_cast<std::int64_t>(i));
    }
    EXPECT_TRUE(queue.empty());
}

TEST(EventQueueDeathTest, NothingCanBeTakenFromAnEmptyQueue) {
    ArenaForTests arena;
    EventQueue queue(&*arena);
    queue.push(event(1, 1));
    (void)queue.take();
    EXPECT_DEATH((void)queue.take(), "empty queue");
}

/// A queue that cannot be wrong: a sorted vector.
class SortedEvents {
   public:
    void push(const Event& event) {
        const auto is_before = [](const Event& a, const Event& b) { return a.key < b.key; };
        x_events.insert(std::upper_bound(x_events.begin(), x_events.end(), event, is_before),
                        event);
    }
    Event take() {
        const Event first = x_events.front();
        x_events.erase(x_events.begin());
        return first;
    }
    const Event& top() const { return x_events.front(); }
    std::size_t size() const { return x_events.size(); }

   private:
    std::vector<Event> x_events;
};

/// Random pushes, takes and settles, in all orders; few distinct times, so that ties are common.
RC_GTEST_PROP(EventQueue, BehavesLikeASortedVector, ()) {
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
            expected.push({key, number});
        } else if (expected.size() != 0) {
            const Event taken = queue.take();
            const Event wanted = expected.take();
            RC_ASSERT(taken.key == wanted.key);
            RC_ASSERT(taken.payload == wanted.payload);
            if (step == 4) queue.settle();
        }
        RC_ASSERT(queue.size() == expected.size());
    }
    queue.settle();
    while (expected.size() != 0) {
        RC_ASSERT(queue.top().key == expected.top().key);
        RC_ASSERT(queue.take().key == expected.take().key);
        queue.settle();
    }
    RC_ASSERT(queue.empty());
}

}  // namespace
}  // namespace kumi
