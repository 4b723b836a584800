#include "conductor/collectives/collectives.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random/random_stream.hpp"
#include "base/testing/arena_for_tests.hpp"

namespace kumi::conductor {
namespace {

TEST(AgreedCalls, TheFirstRankDecidesForTheOthers) {
    ArenaForTests arena;
    AgreedCalls calls;
    EXPECT_TRUE(calls.agree(*arena, 0, true));
    EXPECT_TRUE(calls.agree(*arena, 1, false));
    EXPECT_TRUE(calls.agree(*arena, 0, true));
    EXPECT_FALSE(calls.agree(*arena, 1, true));
    EXPECT_TRUE(calls.agree(*arena, 1, false));
    EXPECT_FALSE(calls.agree(*arena, 0, false));
}

/// Ranks make the same calls, in any order among each other, and one may be wrong once.
RC_GTEST_PROP(AgreedCalls, AreThoseOfAVector, ()) {
    const auto answers = *rc::gen::container<std::vector<bool>>(rc::gen::arbitrary<bool>());
    RC_PRE(!answers.empty());
    const auto ranks = *rc::gen::inRange<std::size_t>(1, 5);
    const auto wrong_rank = *rc::gen::inRange<std::size_t>(0, 5);
    const auto wrong_call = *rc::gen::inRange<std::size_t>(0, answers.size());
    RandomStream order = RandomStreams(*rc::gen::arbitrary<std::uint64_t>(), "test").stream();
    ArenaForTests arena;
    AgreedCalls calls;
    std::vector<std::size_t> next(ranks, 0);
    std::vector<int> first(answers.size(), -1);
    while (std::ranges::any_of(next, [&](std::size_t at) { return at < answers.size(); })) {
        const std::size_t rank = order.below(ranks);
        const std::size_t call = next[rank];
        if (call == answers.size()) continue;
        ++next[rank];
        const bool answer = answers[call] != (rank == wrong_rank && call == wrong_call);
        if (first[call] < 0) first[call] = answer ? 1 : 0;
        RC_ASSERT(calls.agree(*arena, call, answer) == (answer == (first[call] == 1)));
    }
}

}  // namespace
}  // namespace kumi::conductor
