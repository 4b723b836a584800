// What a long queue costs, in steps: entries, buckets and sums that are looked at.

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

/// A queue that is filled with many entries and emptied again, by what a test does with each.
class QueueSteps : public testing::TestWithParam<Order> {
   protected:
    /// How many steps an entry takes.
    template <class Entry, class EntryOf, class Remove>
    static double of_each(EntryOf&& entry_of, Remove&& remove) {
        CountingMemory memory;
        CountedQueue<Entry> queue;
        CountedSteps::count = 0;
        for (std::uint32_t i = 0; i < kMany; ++i) queue.append(memory, entry_of(i));
        for (std::uint32_t i = 0; i < kMany; ++i)
            remove(memory, queue, GetParam() == Order::kOldestFirst ? i : kMany - 1 - i);
        EXPECT_TRUE(queue.empty());
        queue.clear(memory);
        return static_cast<double>(CountedSteps::count) / kMany;
    }
    /// Messages with tags of their own, `stride` apart, find receives that `name` what they name.
    template <class Name>
    static double of_posted(Counting counting, Name&& name, std::uint64_t stride = 1) {
        return of_each<PostedEntry>(
            [&](std::uint32_t i) { return PostedEntry::of(name(i * stride), i); },
            [&](auto& memory, auto& queue, std::uint32_t i) {
                ASSERT_TRUE(queue.take(memory, Envelope{1, i * stride}, counting).found);
            });
    }
    template <class Name>
    static double of_unexpected(Counting counting, Name&& name, std::uint64_t stride = 1) {
        return of_each<UnexpectedEntry>(
            [&](std::uint32_t i) { return UnexpectedEntry::of({1, i * stride}, i); },
            [&](auto& memory, auto& queue, std::uint32_t i) {
                ASSERT_TRUE(queue.take(memory, name(i * stride), counting).found);
            });
    }
    static Pattern exact(std::uint64_t tag) { return {1, tag, 0}; }
    static Pattern any_source(std::uint64_t tag) { return {kAnySource, tag, 0}; }
    static Pattern any_tag(std::uint64_t) { return {1, 0, kAnyTag}; }
    static Pattern anything(std::uint64_t) { return {kAnySource, 0, kAnyTag}; }

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
        EXPECT_LE(of_posted(Counting::kNo, name), kFewSteps);
        EXPECT_LE(of_unexpected(Counting::kNo, name), kFewSteps);
    }
}

/// Programs put several numbers into one tag.
TEST_P(QueueSteps, AreFewHoweverTagsAreNumbered) {
    for (const std::uint64_t stride : {2, 3, 4, 7, 8, 64, 1000, 1 << 16, 1 << 20}) {
        EXPECT_LE(of_posted(Counting::kNo, exact, stride), kFewSteps) << stride;
        EXPECT_LE(of_unexpected(Counting::kNo, any_source, stride), kFewSteps) << stride;
    }
}

/// Each of many ranks sends one message, all with the same tag.
TEST_P(QueueSteps, AreFewHoweverManySourcesThereAre) {
    const double steps = of_each<PostedEntry>(
        [](std::uint32_t i) { return PostedEntry::of({i, 7, 0}, i); },
        [](auto& memory, auto& queue, std::uint32_t i) {
            ASSERT_TRUE(queue.take(memory, Envelope{i, 7}, Counting::kNo).found);
        });
    EXPECT_LE(steps, kFewSteps / 2);
}

/// A list would have looked at half of the queue for each entry: that number takes no walk.
TEST_P(QueueSteps, GrowByTheLogarithmWhereEntriesAreCounted) {
    constexpr double kMost = 2 * kFewSteps;
    for (const auto name : {exact, any_source, any_tag, anything}) {
        EXPECT_LE(of_posted(Counting::kYes, name), kMost);
        EXPECT_LE(of_unexpected(Counting::kYes, name), kMost);
    }
}

TEST_P(QueueSteps, AreFewWhenReceivesAreCancelled) {
    for (const auto name : {exact, any_source, any_tag, anything}) {
        const double steps =
            of_each<PostedEntry>([&](std::uint32_t i) { return PostedEntry::of(name(i), i); },
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
    EXPECT_LE(CountedSteps::count, 2 * kFewSteps * kMany);
    queue.clear(memory);
}

/// Where entries are taken in order, none is ever put into the index.
TEST(QueueStepsInOrder, AreThoseOfNewAgesOnly) {
    CountingMemory memory;
    CountedQueue<PostedEntry> queue;
    CountedSteps::count = 0;
    for (std::uint32_t i = 0; i < kMany; ++i) queue.append(memory, PostedEntry::of({1, i, 0}, i));
    for (std::uint32_t i = 0; i < kMany; ++i) {
        EXPECT_EQ(queue.take(memory, Envelope{1, i}, Counting::kNo).id, i);
        queue.append(memory, PostedEntry::of({1, kMany + i, 0}, kMany + i));
    }
    EXPECT_EQ(queue.size(), kMany);
    // While the queue grows, a ring of ages is full now and then: then all get new ages.
    EXPECT_LE(CountedSteps::count, kMany + kMany / 16);
    queue.clear(memory);
}

}  // namespace
}  // namespace kumi::matching
