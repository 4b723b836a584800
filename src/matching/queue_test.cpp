#include "matching/queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "base/random/random_stream.hpp"
#include "matching/testing/queue_beside_list.hpp"

namespace kumi::matching {
namespace {

constexpr std::uint64_t kAnyTag = ~std::uint64_t{0};

TEST(Pattern, SourceAndTagMustAgreeUnlessWild) {
    const Envelope envelope{3, 0x15};
    EXPECT_TRUE((Pattern{3, 0x15, 0}.accepts(envelope)));
    EXPECT_FALSE((Pattern{4, 0x15, 0}.accepts(envelope)));
    EXPECT_FALSE((Pattern{3, 0x16, 0}.accepts(envelope)));
    EXPECT_TRUE((Pattern{kAnySource, 0x15, 0}.accepts(envelope)));
    EXPECT_TRUE((Pattern{3, 0x16, 0x0F}.accepts(envelope)));
    EXPECT_FALSE((Pattern{3, 0x25, 0x0F}.accepts(envelope)));
}

TEST(Family, TheHashOfAPatternIsThatOfEveryEnvelopeItAccepts) {
    rc::check("hashes agree", [] {
        const auto number = [] { return *rc::gen::arbitrary<std::uint64_t>(); };
        const Pattern pattern{number() % 2 == 0 ? kAnySource : 7, number(), number()};
        const Envelope accepted{pattern.source == kAnySource
                                    ? static_cast<std::uint32_t>(number() % 1000)
                                    : pattern.source,
                                (pattern.tag & ~pattern.ignore) | (number() & pattern.ignore)};
        RC_ASSERT(pattern.accepts(accepted));
        const Family family = family_of(pattern);
        RC_ASSERT(family.hash(accepted) == family.hash({pattern.source, pattern.tag}));
        RC_ASSERT(family.same(accepted, {pattern.source, pattern.tag}));
    });
}

TEST(Queue, CountsTheEntriesThatAListWouldLookAt) {
    CountingMemory memory;
    PostedQueue queue;
    for (std::uint32_t i = 0; i < 200; ++i)
        queue.append(memory, PostedEntry::of({1, 10 + i, 0}, i));
    EXPECT_EQ(queue.find(memory, {1, 13}, Counting::kYes).searched, 4U);
    EXPECT_EQ(queue.find(memory, {1, 5}, Counting::kYes).searched, 200U);
    EXPECT_EQ(queue.take(memory, {1, 11}, Counting::kYes).searched, 2U);
    EXPECT_EQ(queue.find(memory, {1, 13}, Counting::kYes).searched, 3U);
    EXPECT_EQ(queue.find(memory, {1, 13}, Counting::kNo).searched, 0U);
    queue.clear(memory);
}

/// The order of MPI holds across kinds of wildcards, in long queues as in short ones.
TEST(Queue, AnOlderWildcardComesFirst) {
    for (const std::uint32_t others : {0, 3, 200}) {
        CountingMemory memory;
        PostedQueue queue;
        for (std::uint32_t i = 0; i < others; ++i)
            queue.append(memory, PostedEntry::of({9, i, 0}, 1000 + i));
        queue.append(memory, PostedEntry::of({2, 5, 0}, 1));
        queue.append(memory, PostedEntry::of({kAnySource, 5, 0}, 2));
        queue.append(memory, PostedEntry::of({2, 0, kAnyTag}, 3));
        queue.append(memory, PostedEntry::of({kAnySource, 0, kAnyTag}, 4));
        queue.append(memory, PostedEntry::of({2, 5, 0}, 5));
        for (const std::uint32_t expected : {1, 2, 3, 4, 5})
            EXPECT_EQ(queue.take(memory, {2, 5}, Counting::kNo).id, expected);
        EXPECT_FALSE(queue.take(memory, {2, 5}, Counting::kNo).found);
        queue.clear(memory);
    }
}

TEST(Queue, MessagesOfOneSourceAreFoundInTheirOrderByAnyPattern) {
    CountingMemory memory;
    UnexpectedQueue queue;
    for (std::uint32_t i = 0; i < 300; ++i)
        queue.append(memory, UnexpectedEntry::of({i % 3, i % 7}, i));
    EXPECT_EQ(queue.take(memory, {1, 2, 0}, Counting::kNo).id, 16U);
    EXPECT_EQ(queue.take(memory, {kAnySource, 2, 0}, Counting::kNo).id, 2U);
    EXPECT_EQ(queue.take(memory, {1, 0, kAnyTag}, Counting::kNo).id, 1U);
    EXPECT_EQ(queue.take(memory, {kAnySource, 0, kAnyTag}, Counting::kNo).id, 0U);
    EXPECT_EQ(queue.take(memory, {kAnySource, 2, 0}, Counting::kNo).id, 9U);
    EXPECT_EQ(queue.take(memory, {kAnySource, 0, kAnyTag}, Counting::kNo).id, 3U);
    queue.clear(memory);
}

/// Chains of other entries move while one that was found before is still there.
TEST(Queue, RemovesAnEntryThatWasFoundBeforeOthersCame) {
    // In an index: all fit into the same room, or not.
    for (const std::uint32_t count : {120, 140})
        for (std::uint32_t found = 1; found < 70; ++found) {
            QueueBesideList<PostedEntry> queue;
            const auto append = [&queue](std::uint32_t i) {
                queue.append(PostedEntry::of({1, 5 * i, 0}, i));
            };
            for (std::uint32_t i = 0; i < 70; ++i) append(i);
            queue.find({1, 5 * found}, 0);
            for (std::uint32_t i = 70; i < count; ++i) append(i);
            queue.remove(found);
            queue.take({1, 5 * found}, 0);
            for (std::uint32_t i = count; i > 0; --i) queue.take({1, 5 * (i - 1)}, 0);
        }
}

/// A queue that is long once, and then short for ever, does not grow: slots are used again.
TEST(Queue, TakesNoMoreMemoryThanItsLongestState) {
    CountingMemory memory;
    UnexpectedQueue queue;
    for (std::uint32_t i = 0; i < 100; ++i) queue.append(memory, UnexpectedEntry::of({1, i}, i));
    constexpr std::size_t kMost = 100 * 300;
    for (std::uint32_t i = 100; i < 100'000; ++i) {
        EXPECT_EQ(queue.take(memory, {1, i - 100, 0}, Counting::kNo).id, i - 100);
        queue.append(memory, UnexpectedEntry::of({1, i}, i));
        ASSERT_LE(memory.taken_bytes(), kMost);
    }
    queue.clear(memory);
    EXPECT_EQ(memory.taken_bytes(), 0U);
}

/// Posts `count` receives and matches them all.
template <class AQueue>
void exchange(AQueue& queue, CountingMemory& memory, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) queue.append(memory, PostedEntry::of({i, 7, 0}, i));
    // The youngest first, so that all slots are used until the end.
    for (std::uint32_t i = count; i > 0; --i)
        ASSERT_EQ(queue.take(memory, {i - 1, 7}, Counting::kNo).id, i - 1);
    ASSERT_TRUE(queue.empty());
}

TEST(Queue, TakesMemoryForTheFirstOfManyExchangesOnly) {
    CountingMemory memory;
    PostedQueue queue;
    exchange(queue, memory, 6);
    const std::size_t allocations = memory.allocations();
    for (int turn = 0; turn < 100; ++turn) exchange(queue, memory, 6);
    EXPECT_EQ(memory.allocations(), allocations);
    queue.clear(memory);
    EXPECT_EQ(memory.taken_bytes(), 0U);
    // A cleared queue is as a new one.
    for (int turn = 0; turn < 100; ++turn) exchange(queue, memory, 4);
    EXPECT_EQ(memory.allocations(), allocations);
}

/// A queue that is never empty and never long needs no index.
TEST(Queue, StaysInThePlacesOfSomeDozensOfEntries) {
    CountingMemory memory;
    PostedQueue queue;
    for (std::uint32_t i = 0; i < 48; ++i) queue.append(memory, PostedEntry::of({1, i, 0}, i));
    EXPECT_EQ(memory.allocations(), 1U);
    for (std::uint32_t i = 48; i < 10'000; ++i) {
        ASSERT_EQ(queue.take(memory, {1, i - 48}, Counting::kNo).id, i - 48);
        queue.append(memory, PostedEntry::of({1, i, 0}, i));
    }
    EXPECT_EQ(memory.allocations(), 1U);
    queue.clear(memory);
}

TEST(Queue, KeepsLittleWhenItIsEmpty) {
    CountingMemory memory;
    PostedQueue queue;
    for (const std::uint32_t count : {6, 15, 6, 16, 64, 6}) {
        exchange(queue, memory, count);
        EXPECT_LE(memory.taken_bytes(), 2048U);
        EXPECT_GT(memory.taken_bytes(), 0U);
    }
    exchange(queue, memory, 65);
    EXPECT_EQ(memory.taken_bytes(), 0U);
}

TEST(Queue, OneOfVeryManyKeepsNothingWhenItIsEmpty) {
    CountingMemory memory;
    Queue<PostedEntry, WhenEmpty::kGivesBack> queue;
    for (const std::uint32_t count : {6, 50, 300}) {
        exchange(queue, memory, count);
        EXPECT_EQ(memory.taken_bytes(), 0U);
    }
}

/// Programs use few kinds of wildcards. One that uses more than an index has room for gets the
/// right message all the same.
TEST(Queue, FindsTheOldestAmongMoreKindsOfWildcardsThanThereIsRoomFor) {
    QueueBesideList<PostedEntry> posted;
    QueueBesideList<UnexpectedEntry> unexpected;
    for (std::uint32_t i = 0; i < 300; ++i) {
        posted.append(PostedEntry::of({i % 2 == 0 ? kAnySource : 1, i, i % 40}, i));
        unexpected.append(UnexpectedEntry::of({i % 2, i}, i));
    }
    for (std::uint64_t i = 0; i < 300; ++i) {
        posted.take({1, i}, 0);
        unexpected.take({i % 3 == 0 ? kAnySource : 1, i, i % 40}, 0);
    }
    posted.check_all();
    unexpected.check_all();
}

/// As many entries as there are places before and behind each limit, with more tags and sources
/// than a byte can tell apart.
TEST(Queue, IsAPlainListAtEveryLength) {
    RandomStream random = RandomStreams(1, "lengths").stream();
    const auto below = [&random](std::uint64_t limit) { return random.below(limit); };
    for (std::uint32_t length = 1; length < 140; ++length) {
        QueueBesideList<PostedEntry> posted;
        QueueBesideList<UnexpectedEntry> unexpected;
        std::vector<Envelope> messages;
        std::vector<Pattern> receives;
        const auto add = [&](std::uint32_t id) {
            const auto source = static_cast<std::uint32_t>(below(1000));
            const std::uint64_t tag = below(700) << below(32);
            const std::uint64_t ignore = below(8) == 0 ? kAnyTag : below(8) == 0 ? 3 : 0;
            messages.push_back({source, tag});
            receives.push_back({below(8) == 0 ? kAnySource : source, tag, ignore});
            posted.append(PostedEntry::of(receives.back(), id));
            unexpected.append(UnexpectedEntry::of(messages.back(), id));
        };
        for (std::uint32_t id = 0; id < length; ++id) add(id);
        for (std::uint32_t turn = 0; turn < 200; ++turn) {
            const std::size_t at = messages.size() - 1 - below(length);
            posted.take(messages[at], 0);
            unexpected.take(receives[at], 0);
            if (turn % 8 == 0) posted.remove(static_cast<std::uint32_t>(at));
            if (turn % 8 == 1) unexpected.find({kAnySource, messages[at].tag + 1, 0}, 2);
            add(length + turn);
        }
        posted.check_all();
        unexpected.check_all();
        posted.drain();
        unexpected.drain();
    }
}

/// Entries are taken in order for so long that ages go round their ring several times without an
/// index. Then they are taken from anywhere, which leaves gaps, and counted across the ring's end.
/// Three in a row have the same tag.
template <class Entry, class EntryOf, class ProbeOf>
void go_round(std::uint32_t length, EntryOf&& entry_of, ProbeOf&& probe_of) {
    RandomStream random = RandomStreams(length, "rounds").stream();
    QueueBesideList<Entry> queue;
    std::vector<std::uint32_t> tags;
    std::uint32_t next = 0;
    const auto add = [&] {
        tags.push_back(next / 3);
        queue.append(entry_of(tags.back(), next++));
    };
    const auto take_tag_at = [&](std::size_t place) {
        queue.take(probe_of(tags[place]), 0);
        tags.erase(std::find(tags.begin(), tags.end(), tags[place]));
        add();
    };
    while (next < length) add();
    for (int round = 0; round < 4; ++round) {
        for (std::uint32_t turn = 0; turn < 9 * length; ++turn) take_tag_at(0);
        // The oldest entries stay, for part of the time.
        for (std::uint32_t turn = 0; turn < 5 * length; ++turn)
            take_tag_at(turn < 4 * length ? 3 + random.below(length - 3) : random.below(length));
    }
    queue.check_all();
    queue.drain();
}
TEST(Queue, IsAPlainListWhileAgesGoRound) {
    for (const std::uint32_t length : {49, 64, 65, 300, 1500}) {
        go_round<PostedEntry>(
            length,
            [](std::uint32_t tag, std::uint32_t id) { return PostedEntry::of({1, tag, 0}, id); },
            [](std::uint32_t tag) { return Envelope{1, tag}; });
        go_round<UnexpectedEntry>(
            length,
            [](std::uint32_t tag, std::uint32_t id) { return UnexpectedEntry::of({1, tag}, id); },
            [](std::uint32_t tag) { return Pattern{1, tag, 0}; });
    }
}

template <WhenEmpty kWhenEmpty>
void check_beside_lists(std::uint8_t shape) {
    MatchingLedByBytes<kWhenEmpty> matching(shape);
    const auto steps = *rc::gen::resize(
        1000, rc::gen::arbitrary<std::vector<std::pair<std::uint8_t, std::uint8_t>>>());
    matching.fill(*rc::gen::element<std::uint32_t>(0, 30, 60, 300));
    for (const auto& [what, which] : steps) matching.step(what, which);
    matching.check_all();
}

RC_GTEST_PROP(Queue, IsAPlainList, (std::uint8_t shape)) {
    check_beside_lists<WhenEmpty::kKeepsRoom>(shape);
}
RC_GTEST_PROP(Queue, ThatGivesBackIsAPlainList, (std::uint8_t shape)) {
    check_beside_lists<WhenEmpty::kGivesBack>(shape);
}

/// Longer than the sequences above: queues grow and shrink several times without being emptied at
/// once, and slots of many equal entries are used again.
TEST(Queue, IsAPlainListForLong) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        RandomStream random = RandomStreams(seed, "queue").stream();
        const auto byte = [&random] { return static_cast<std::uint8_t>(random.below(256)); };
        MatchingLedByBytes<WhenEmpty::kKeepsRoom> matching(byte());
        for (std::uint32_t step = 0; step < 3000; ++step) {
            const bool grows = step / 500 % 2 == 0;
            std::uint32_t what = byte();
            // Appends or takes; probes and cancels at all times, but nothing is drained.
            if (what % 8 < 6 && byte() % 4 != 0) what = what / 8 * 8 + (grows ? 0 : 4) + what % 2;
            if (grows && what % 8 < 2) what += byte() % 2 * 2;
            if (what % 8 == 7) what &= ~8U;
            matching.step(static_cast<std::uint8_t>(what), byte());
        }
        matching.check_all();
    }
}

}  // namespace
}  // namespace kumi::matching
