#include "network/link/link.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "base/testing/arena_for_tests.hpp"

namespace kumi::network {
namespace {

using namespace literals;

TEST(Link, StartsWhenBothAreReady) {
    Link link;
    const auto reserve = [&](Instant ready, Duration span, std::uint64_t size_bytes) {
        return link.reserve(ready, ready, span, size_bytes, 1);
    };
    EXPECT_EQ(reserve(Instant{10}, 5_ps, 100), Instant{10});
    EXPECT_EQ(reserve(Instant{14}, 5_ps, 100), Instant{15});
    EXPECT_EQ(reserve(Instant{20}, 5_ps, 100), Instant{20});
    EXPECT_EQ(reserve(Instant{24}, 0_ps, 0), Instant{25});
    const LinkStatistics expected{
        .bytes = 300, .packets = 4, .busy = 15_ps, .queue_wait = 2_ps, .longest_wait = 1_ps};
    EXPECT_EQ(link.statistics, expected);
}

TEST(PacketRun, TakesInOnlyWhatContinuesIt) {
    const PacketRun run{Instant{100}, 10_ps, 7, 3, 1, false};
    const auto extends = [&](PacketRun next) {
        PacketRun copy = run;
        return copy.extend(next);
    };
    EXPECT_TRUE(extends({Instant{130}, 10_ps, 7, 1, 1, false}));
    EXPECT_FALSE(extends({Instant{131}, 10_ps, 7, 1, 1, false}));
    EXPECT_FALSE(extends({Instant{130}, 9_ps, 7, 1, 1, false}));
    EXPECT_FALSE(extends({Instant{130}, 10_ps, 8, 1, 1, false}));
    PacketRun grown = run;
    ASSERT_TRUE(grown.extend({Instant{130}, 10_ps, 7, 1, 1, true}));
    EXPECT_EQ(grown.count, 4U);
    EXPECT_TRUE(grown.ends_message);
    EXPECT_FALSE(grown.extend({Instant{140}, 10_ps, 7, 1, 1, true}));
}

RC_GTEST_PROP(Serialisation, IsTransferTime, ()) {
    const auto rate_bps = *rc::gen::oneOf(
        rc::gen::inRange<std::uint64_t>(1'000'000, 1'000'000'000'000),
        rc::gen::element<std::uint64_t>(1'000'000'000, 2'500'000'000, 3'000'000'000,
                                        100'000'000'000, 999'999'999'989, 1'000'000'000'000'000));
    const auto size_bytes = *rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(0, 10'000),
                                            rc::gen::inRange<std::uint64_t>(0, 1ULL << 40));
    const Serialisation serialisation(rate_bps);
    RC_ASSERT(serialisation(size_bytes) == transfer_time(size_bytes, rate_bps));
    RC_ASSERT(serialisation.rate_bps() == rate_bps);
}

TEST(Serialisation, IsTransferTimeBeyond64Bits) {
    const std::uint64_t size_bytes = std::uint64_t{1} << 50;
    for (const std::uint64_t rate_bps : {999'999'999'989ULL, 1'000'000'000'000ULL}) {
        EXPECT_EQ(Serialisation(rate_bps)(size_bytes), transfer_time(size_bytes, rate_bps));
    }
}

constexpr std::int64_t kWidth = 1LL << LinkUse::kFirstWidthLog2;

std::vector<std::int64_t> bins_of(const LinkUse& use, const UseBins& all) {
    std::vector<std::int64_t> bins(use.used_bins(use.width_log2()));
    use.add_to(bins.data(), use.width_log2(), all);
    return bins;
}

TEST(LinkUse, SplitsBetweenBins) {
    ArenaForTests arena;
    UseBins bins(&*arena, 1, 8);
    LinkUse use;
    EXPECT_TRUE(bins_of(use, bins).empty());
    use.add(bins, Instant{0}, 0_ps);
    EXPECT_TRUE(bins_of(use, bins).empty());
    use.add(bins, Instant{kWidth - 10}, 15_ps);
    EXPECT_EQ(bins_of(use, bins), (std::vector<std::int64_t>{10, 5}));
    use.add(bins, Instant{2 * kWidth - 4}, 4_ps);
    EXPECT_EQ(bins_of(use, bins), (std::vector<std::int64_t>{10, 9}));
    use.add(bins, Instant{3 * kWidth}, {2 * kWidth});
    EXPECT_EQ(bins_of(use, bins), (std::vector<std::int64_t>{10, 9, 0, kWidth, kWidth}));
}

TEST(LinkUse, LinksHaveBinsOfTheirOwn) {
    ArenaForTests arena;
    UseBins bins(&*arena, 50, 4);
    std::vector<LinkUse> links(200);
    // Half of them outgrow their bins.
    const auto busy_of = [](std::uint32_t link) { return std::int64_t{link} + 1; };
    for (std::int64_t bin = 0; bin < 5; ++bin) {
        for (std::uint32_t link = 0; link < links.size(); ++link) {
            if (bin == 4 && link % 2 == 0) continue;
            links[link].add(bins, Instant{bin * kWidth}, {busy_of(link)});
        }
    }
    for (std::uint32_t link = 0; link < links.size(); ++link) {
        const std::int64_t busy_ps = busy_of(link);
        const std::vector<std::int64_t> expected =
            link % 2 == 0 ? std::vector<std::int64_t>(4, busy_ps)
                          : std::vector<std::int64_t>{2 * busy_ps, 2 * busy_ps, busy_ps};
        EXPECT_EQ(bins_of(links[link], bins), expected) << link;
    }
}

TEST(LinkUse, DoublesItsBinsInsteadOfHavingMore) {
    ArenaForTests arena;
    UseBins bins(&*arena, 1, 8);
    LinkUse use;
    for (std::int64_t bin = 0; bin < 8; ++bin) {
        use.add(bins, Instant{bin * kWidth}, {bin + 1});
    }
    EXPECT_EQ(use.width_log2(), LinkUse::kFirstWidthLog2);
    use.add(bins, Instant{8 * kWidth}, 100_ps);
    EXPECT_EQ(use.width_log2(), LinkUse::kFirstWidthLog2 + 1);
    EXPECT_EQ(bins_of(use, bins), (std::vector<std::int64_t>{3, 7, 11, 15, 100}));
}

/// Against an account of each interval by itself.
RC_GTEST_PROP(LinkUse, AgreesWithAnAccountOfEachInterval, ()) {
    constexpr std::uint32_t kBins = 16;
    ArenaForTests arena;
    UseBins use_bins(&*arena, 1, kBins);
    LinkUse use;
    std::vector<std::pair<std::int64_t, std::int64_t>> intervals;
    std::int64_t now_ps = 0;
    const auto lengths = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::oneOf(rc::gen::inRange(0, 3 << LinkUse::kFirstWidthLog2),
                                     rc::gen::inRange(0, 50 << LinkUse::kFirstWidthLog2)),
                      rc::gen::oneOf(rc::gen::inRange(0, 1000),
                                     rc::gen::inRange(0, 5 << LinkUse::kFirstWidthLog2))));
    for (const auto& [gap_ps, span_ps] : lengths) {
        now_ps += gap_ps;
        use.add(use_bins, Instant{now_ps}, {span_ps});
        intervals.emplace_back(now_ps, now_ps + span_ps);
        now_ps += span_ps;
    }
    const std::uint32_t width_log2 = use.width_log2() + *rc::gen::inRange<std::uint32_t>(0, 2);
    std::vector<std::int64_t> bins(kBins);
    RC_ASSERT(use.used_bins(width_log2) <= kBins);
    use.add_to(bins.data(), width_log2, use_bins);
    for (std::int64_t bin = 0; bin < kBins; ++bin) {
        std::int64_t expected_ps = 0;
        for (const auto& [begin_ps, end_ps] : intervals) {
            const std::int64_t first = std::max(begin_ps, bin << width_log2);
            const std::int64_t last = std::min(end_ps, (bin + 1) << width_log2);
            expected_ps += std::max<std::int64_t>(0, last - first);
        }
        RC_ASSERT(bins[static_cast<std::size_t>(bin)] == expected_ps);
    }
}

}  // namespace
}  // namespace kumi::network
