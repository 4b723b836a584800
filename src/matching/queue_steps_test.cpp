// What a long queue costs, in steps: entries and words of bits that are looked at.

#include <gtest/gtest.h>

#include "matching/queue.hpp"
#include "matching/testing/counting_memory.hpp"

namespace kumi::matching {
namespace {

struct CountedSteps {
    static inline std::uint64_t count = 0;
    static void step() { ++count; }
};

template <class Entry>
using CountedQueue = Queue<Entry, WhenEmpty::kKeepsRoom, CountedSteps>;

constexpr std::uint64_t kAnyTag = ~std::uint64_t{0};
constexpr std::uint32_t kMany = 65'536;

enum class Order : std::uint8_t { kOldestFirst, kYoungestFirst };

/// A queue that is filled with `depth` entries and emptied again, by what a test does with each.
class QueueSteps : public testing::TestWithParam<Order> {
   protected:
    /// How many steps an entry takes.
    template <class Entry, class Append, class Remove>
    static double of_each(std::uint32_t depth, Append&& append, Remove&& remove) {
        CountingMemory memory;
        CountedQueue<Entry> queue;
        CountedSteps::count = 0;
        for (std::uint32_t i = 0; i < depth; ++i) append(memory, queue, i);
        for (std::uint32_t i = 0; i < depth; ++i)
            remove(memory, queue, GetParam() == Order::kOldestFirst ? i : depth - 1 - i);
        EXPECT_TRUE(queue.empty());
        queue.clear(memory);
        return static_cast<double>(CountedSteps::count) / depth;
    }
    /// Messages with tags of their own find receives that `name` what they name.
    template <class Name>
    static double of_posted(std::uint32_t depth, Counting counting, Name&& name) {
        return of_each<PostedEntry>(
            depth,
            [&](auto& memory, auto& queue, std::uint32_t i) {
                queue.append(memory, PostedEntry::of(name(i), i));
            },
            [&](auto& memory, auto& queue, std::uint32_t i) {
                ASSERT_TRUE(queue.take(memory, Envelope{1, i}, counting).found);
            });
    }
    template <class Name>
    static double of_unexpected(std::uint32_t depth, Counting counting, Name&& name) {
        return of_each<UnexpectedEntry>(
            depth,
            [](auto& memory, auto& queue, std::uint32_t i) {
                queue.append(memory, UnexpectedEntry::of({1, i}, i));
            },
            [&](auto& memory, auto& queue, std::uint32_t i) {
                ASSERT_TRUE(queue.take(memory, name(i), counting).found);
            });
    }
    static Pattern exact(std::uint32_t i) { return {1, i, 0}; }
    static Pattern any_source(std::uint32_t i) { return {kAnySource, i, 0}; }
    static Pattern any_tag(std::uint32_t) { return {1, 0, kAnyTag}; }
    static Pattern anything(std::uint32_t) { return {kAnySource, 0, kAnyTag}; }

    static constexpr double kFewSteps = 20;
};

INSTANTIATE_TEST_SUITE_P(Orders, QueueSteps,
                         testing::Values(Order::kOldestFirst, Order::kYoungestFirst),
                         [](const auto& about) {
                             return about.param == Order::kOldestFirst ? "OldestFirst"
                                                                       : "YoungestFirst";
                         });

TEST_P(QueueSteps, AreFewWhateverReceivesName) {
    for (const auto name : {exact, any_source, any_tag, anything}) {
        EXPECT_LE(of_posted(kMany, Counting::kNo, name), kFewSteps);
        EXPECT_LE(of_unexpected(kMany, Counting::kNo, name), kFewSteps);
    }
}

/// A list would have looked at half of the queue for each entry: that number takes no walk.
TEST_P(QueueSteps, GrowByTheLogarithmWhereEntriesAreCounted) {
    constexpr double kMost = 2 * kFewSteps;
    for (const auto name : {exact, any_source, any_tag, anything}) {
        EXPECT_LE(of_posted(kMany, Counting::kYes, name), kMost);
        EXPECT_LE(of_unexpected(kMany, Counting::kYes, name), kMost);
    }
}

TEST_P(QueueSteps, AreFewWhenReceivesAreCancelled) {
    for (const auto name : {exact, any_source, any_tag, anything}) {
        const double steps = of_each<PostedEntry>(
            kMany,
            [&](auto& memory, auto& queue, std::uint32_t i) {
                queue.append(memory, PostedEntry::of(name(i), i));
            },
            [](auto& memory, auto& queue, std::uint32_t i) {
                ASSERT_TRUE(queue.remove(memory, i));
                ASSERT_FALSE(queue.remove(memory, i));
            });
        EXPECT_LE(steps, kFewSteps);
    }
}

/// Ids are used again, as numbers of requests are, while the queue stays long.
TEST_P(QueueSteps, AreFewWhereCancelsAndReceivesTakeTurns) {
    CountingMemory memory;
    CountedQueue<PostedEntry> queue;
    for (std::uint32_t i = 0; i < kMany; ++i) queue.append(memory, PostedEntry::of({1, i, 0}, i));
    CountedSteps::count = 0;
    for (std::uint32_t turn = 0; turn < kMany; ++turn) {
        const std::uint32_t id = GetParam() == Order::kOldestFirst ? turn : kMany - 1 - turn % 7;
        ASSERT_TRUE(queue.remove(memory, id));
        queue.append(memory, PostedEntry::of({1, kMany + turn, 0}, id));
    }
    EXPECT_EQ(queue.size(), kMany);
    EXPECT_LE(CountedSteps::count, kFewSteps * kMany);
    queue.clear(memory);
}

}  // namespace
}  // namespace kumi::matching
