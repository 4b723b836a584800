#include "engine/event_sort.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random/random_stream.hpp"

namespace kumi::engine {
namespace {

Event event(std::int64_t time_ps, std::uint64_t sequence) {
    return {EventKey::of(Instant{time_ps}, EventClass::kForward, 1, sequence), sequence};
}

bool comes_before(const Event& a, const Event& b) { return a.key < b.key; }

std::vector<Event> sorted(std::vector<Event> events) {
    std::vector<Event> scratch(events.size());
    const auto count = static_cast<std::uint32_t>(events.size());
    std::vector<std::uint64_t> words(2 * events.size());
    const Event* result = sort_events(events.data(), count, scratch.data(), words.data());
    return {result, result + count};
}

void expect_sorted(std::vector<Event> events) {
    const std::vector<Event> result = sorted(events);
    std::sort(events.begin(), events.end(), comes_before);
    ASSERT_EQ(result.size(), events.size());
    for (std::size_t place = 0; place < events.size(); ++place) {
        ASSERT_EQ(result[place].key, events[place].key) << place;
        ASSERT_EQ(result[place].payload, events[place].payload) << place;
    }
}

TEST(EventSort, MergesAnyNumberOfRuns) {
    for (std::int64_t runs = 1; runs <= 70; ++runs) {
        std::vector<Event> events;
        std::uint64_t sequence = 0;
        for (std::int64_t run = 0; run < runs; ++run) {
            for (std::int64_t place = 0; place <= run % 7; ++place) {
                events.push_back(event(100 * place - run, sequence++));
            }
        }
        expect_sorted(events);
    }
}

TEST(EventSort, LeavesWhatIsInOrder) {
    std::vector<Event> events;
    for (std::uint64_t i = 0; i < 100; ++i) events.push_back(event(7, i));
    std::vector<Event> scratch(events.size());
    std::vector<std::uint64_t> words(2 * events.size());
    EXPECT_EQ(sort_events(events.data(), 100, scratch.data(), words.data()), events.data());
    EXPECT_TRUE(std::is_sorted(events.begin(), events.end(), comes_before));
    EXPECT_EQ(sort_events(events.data(), 1, scratch.data(), words.data()), events.data());
}

/// As many sources as have several events at one time, and as are far apart.
TEST(EventSort, SortsEventsOfOneTimeBySource) {
    for (const std::uint32_t sources : {1U, 7U, 300U, 70'000U, 20'000'000U}) {
        std::vector<Event> events;
        RandomStream random = RandomStreams(1, "test").stream();
        for (std::uint64_t sequence = 0; sequence < 2000; ++sequence) {
            const std::uint64_t other = sequence ^ 5;
            events.push_back(
                {EventKey::of(Instant{9}, EventClass::kForward,
                              static_cast<std::uint32_t>(random.below(sources)), other),
                 sequence});
        }
        expect_sorted(events);
        events[1999].key = EventKey::of(Instant{9}, EventClass::kArrival, 3, 2);
        expect_sorted(events);
    }
}

RC_GTEST_PROP(EventSort, SortsWhateverThereIs, ()) {
    const auto times =
        *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 50));
    std::vector<Event> events;
    for (const std::int64_t time_ps : times) events.push_back(event(time_ps, events.size()));
    if (!events.empty()) expect_sorted(events);
}

}  // namespace
}  // namespace kumi::engine
