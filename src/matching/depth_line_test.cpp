#include "matching/depth_line.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace kumi::matching {
namespace {

using Stretch = std::tuple<std::int64_t, std::int64_t, std::uint32_t, std::uint32_t>;

constexpr std::int64_t kShortest_ps = 1 << 16;

std::vector<Stretch> stretches_of(const DepthLine& line, Instant end) {
    std::vector<Stretch> found;
    line.for_each(end, [&](Instant begin, Instant stop, const Depths& most) {
        found.emplace_back(begin.ps, stop.ps, most.posted, most.unexpected);
    });
    return found;
}

TEST(DepthLine, HasNothingWhileQueuesAreEmpty) {
    DepthLine line;
    line.note({5}, {});
    EXPECT_TRUE(stretches_of(line, Instant{1'000'000'000}).empty());
}

TEST(DepthLine, QueuesStayAsTheyAreUntilTheyChange) {
    DepthLine line;
    line.note({1}, {.posted = 3});
    line.note({5 * kShortest_ps + 7}, {.posted = 1, .unexpected = 2});
    line.note({6 * kShortest_ps}, {});
    // In the stretch of a change there is the most of before and after.
    const std::vector<Stretch> expected{{0, 5 * kShortest_ps, 3, 0},
                                        {5 * kShortest_ps, 6 * kShortest_ps, 3, 2},
                                        {6 * kShortest_ps, 7 * kShortest_ps, 1, 2}};
    EXPECT_EQ(stretches_of(line, {9 * kShortest_ps}), expected);
}

TEST(DepthLine, EndsWithItsRank) {
    DepthLine line;
    line.note({1}, {.unexpected = 1});
    EXPECT_EQ(stretches_of(line, {kShortest_ps + 9}),
              (std::vector<Stretch>{{0, kShortest_ps + 9, 0, 1}}));
}

TEST(DepthLine, WhatIsOutOfOrderCountsAsAtTheLastInstant) {
    DepthLine line;
    line.note({3 * kShortest_ps}, {.posted = 1});
    line.note({0}, {.posted = 2});
    EXPECT_EQ(stretches_of(line, {4 * kShortest_ps}),
              (std::vector<Stretch>{{3 * kShortest_ps, 4 * kShortest_ps, 2, 0}}));
}

/// As computed from all that was noted: in each stretch the most that was there at any instant.
RC_GTEST_PROP(DepthLine, IsTheMostOfEachStretch, ()) {
    struct Noted {
        std::int64_t at_ps;
        Depths depths;
    };
    DepthLine line;
    std::vector<Noted> all{{0, {}}};
    const auto count = *rc::gen::inRange(1, 200);
    const auto scale = std::int64_t{1} << *rc::gen::inRange(8, 40);
    for (int i = 0; i < count; ++i) {
        const std::int64_t gap_ps = *rc::gen::inRange<std::int64_t>(0, 5) * scale;
        all.push_back({all.back().at_ps + gap_ps,
                       {static_cast<std::uint32_t>(*rc::gen::inRange(0, 4)),
                        static_cast<std::uint32_t>(*rc::gen::inRange(0, 4))}});
        line.note({all.back().at_ps}, all.back().depths);
        RC_ASSERT(line.is_possible());
    }
    const std::int64_t end_ps = all.back().at_ps + *rc::gen::inRange<std::int64_t>(1, 5) * scale;
    std::int64_t stretch_ps = kShortest_ps;
    while (end_ps / stretch_ps >= DepthLine::kStretches) stretch_ps *= 2;
    std::vector<Depths> expected(DepthLine::kStretches);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::int64_t until_ps = i + 1 < all.size() ? all[i + 1].at_ps : end_ps;
        for (std::int64_t stretch = all[i].at_ps / stretch_ps; stretch <= until_ps / stretch_ps;
             ++stretch)
            expected[static_cast<std::size_t>(stretch)] =
                deeper(expected[static_cast<std::size_t>(stretch)], all[i].depths);
    }
    std::vector<Depths> found(DepthLine::kStretches);
    for (const auto& [begin_ps, stop_ps, posted, unexpected] : stretches_of(line, {end_ps})) {
        RC_ASSERT(begin_ps % stretch_ps == 0 && (stop_ps % stretch_ps == 0 || stop_ps == end_ps));
        for (std::int64_t at_ps = begin_ps; at_ps < stop_ps; at_ps += stretch_ps)
            found[static_cast<std::size_t>(at_ps / stretch_ps)] = {posted, unexpected};
    }
    // The last stretch has no time in it if the end is where it begins.
    if (end_ps % stretch_ps == 0) expected[static_cast<std::size_t>(end_ps / stretch_ps)] = {};
    RC_ASSERT(found == expected);
}

TEST(DepthLine, KnowsThatSomethingElseHasWritten) {
    for (const std::size_t word : {0U, 1U, 200U}) {
        DepthLine line;
        ASSERT_TRUE(line.is_possible());
        reinterpret_cast<std::uint32_t*>(&line)[word] = 0xdead;
        EXPECT_FALSE(line.is_possible()) << word;
    }
}

}  // namespace
}  // namespace kumi::matching
