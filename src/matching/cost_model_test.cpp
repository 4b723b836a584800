#include "matching/cost_model.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "matching/account.hpp"
#include "matching/testing/naive_matcher.hpp"

namespace kumi::matching {
namespace {

using namespace kumi::literals;

Duration random_time() { return Duration{*rc::gen::inRange(0, 1'000)}; }

std::uint64_t random_count(std::uint64_t most) {
    return *rc::gen::inRange<std::uint64_t>(1, most + 1);
}

SearchComponents random_components() {
    return {
        .per_search = random_time(),
        .compare = random_time(),
        .width = random_count(20),
        .latency = random_time(),
        .cached_latency = random_time(),
        .per_access = random_count(9),
        .prefetches = *rc::gen::arbitrary<bool>(),
        .capacity = *rc::gen::arbitrary<bool>() ? random_count(64) : SearchComponents::kUnbounded,
        .spilled = random_time(),
        .spilled_per_access = random_count(9),
        .buckets = *rc::gen::element<std::uint64_t>(1, 1, 2, 7, 100)};
}

RC_GTEST_PROP(SearchCost, IsWhatAMatcherTakesThatGoesThroughItEntryByEntry, ()) {
    const SearchComponents components = random_components();
    const SearchCost cost(components);
    const NaiveMatcher naive(components);
    for (const std::uint64_t searched : {0, 1, 2, 3, 8, 63, 64, 65, 200})
        RC_ASSERT(cost.of(searched) == naive.search(searched));
}

RC_GTEST_PROP(SearchCost, ThatNeedsNoCountIsTheSameForAnyNumber, ()) {
    const SearchCost cost(random_components());
    const std::uint64_t searched = random_count(1'000);
    if (!cost.needs_count()) RC_ASSERT(cost.of(searched) == cost.of(0));
}

TEST(SearchCost, OfAListIsThatOfItsEntries) {
    const CostModel list = CostModel::list(Duration{13});
    EXPECT_EQ(list.of_receive({.searched = 0}), Duration{});
    EXPECT_EQ(list.of_receive({.searched = 7}), Duration{91});
    EXPECT_EQ(list.of_arrival({.searched = 7}), Duration{91});
    EXPECT_EQ(list.counting(), Counting::kYes);
    EXPECT_EQ(CostModel::list({}).counting(), Counting::kNo);
}

TEST(SearchCost, AFullMatcherHasACliff) {
    const SearchCost cells({.compare = 14_ns, .width = 256, .capacity = 256, .spilled = 100_ns});
    EXPECT_EQ(cells.of(1), 14_ns);
    EXPECT_EQ(cells.of(256), 14_ns);
    EXPECT_EQ(cells.of(257), 114_ns);
    EXPECT_EQ(cells.of(1'256), 14_ns + 100'000_ns);
}

TEST(SearchCost, AFullBufferHasNoCliffIfAnAccessBringsManyEntries) {
    const SearchCost heads({.compare = 8_ns,
                            .cached_latency = 7_ns,
                            .capacity = 512,
                            .spilled = 634_ns,
                            .spilled_per_access = 32});
    EXPECT_EQ(heads.of(513) - heads.of(512), 634_ns);
    EXPECT_EQ(heads.of(514) - heads.of(513), 15_ns);
    EXPECT_EQ(heads.of(512 + 3'200) - heads.of(512), 100 * (634_ns + 31 * 15_ns));
}

TEST(CostModel, LooksForWildcardsUnlessThereAreNone) {
    const CostModel cost{.posted = SearchCost({.compare = 2_ns}),
                         .unexpected = SearchCost({.per_search = 30_ns}),
                         .wildcard_lookup = 9_ns};
    EXPECT_EQ(cost.of_arrival({.searched = 3}), 15_ns);
    EXPECT_EQ(cost.of_arrival({.searched = 3}, /*has_no_wildcards=*/true), 6_ns);
    EXPECT_EQ(cost.of_receive({}), 39_ns);
    EXPECT_EQ(cost.of_receive({}, /*has_no_wildcards=*/true), 30_ns);
}

TEST(CostModel, APayloadThatComesWithItsHeadIsNotFetched) {
    const CostModel cost{
        .head_latency = 100_ns, .body_latency = 600_ns, .payload_with_head_bytes = 48};
    EXPECT_EQ(cost.of_arrival({}), 100_ns);
    EXPECT_EQ(cost.of_payload(0), 0_ns);
    EXPECT_EQ(cost.of_payload(48), 0_ns);
    EXPECT_EQ(cost.of_payload(49), 600_ns);
}

TEST(QueueAccount, CountsByPowersOfTwo) {
    QueueAccount account;
    for (const std::uint64_t depth : {0, 1, 2, 3, 4, 7, 8})
        account.note(depth, {.found = depth > 2, .searched = depth}, Duration{10});
    EXPECT_EQ(account.searches, 7U);
    EXPECT_EQ(account.found, 4U);
    EXPECT_EQ(account.searched, 25U);
    EXPECT_EQ(account.deepest, 8U);
    EXPECT_EQ(account.spent, Duration{70});
    const std::uint64_t expected[] = {1, 1, 2, 2, 1, 0};
    for (std::size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(account.depths[i], expected[i]);
}

TEST(QueueAccount, TheLastBinHasAllBeyond) {
    QueueAccount account;
    for (const std::uint64_t depth : {1ULL << 21, (1ULL << 22) - 1, 1ULL << 22, 1ULL << 40})
        account.note(depth, {}, {});
    EXPECT_EQ(account.depths[22], 2U);
    EXPECT_EQ(account.depths[QueueAccount::kDepths - 1], 2U);
}

}  // namespace
}  // namespace kumi::matching
