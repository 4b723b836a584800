// The steps of requests, and how answers find them.

#include "endpoint/request.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "base/testing/arena_for_tests.hpp"
#include "endpoint/testing/loop_driver.hpp"

namespace kumi::endpoint {
namespace {

using enum RequestState;

constexpr RequestState kStates[] = {kFree, kNew, kPosted, kUnderWay, kComplete};

/// All that may happen to a request.
const std::set<std::pair<RequestState, RequestState>> kSteps{
    {kFree, kNew},        {kNew, kPosted},      {kNew, kUnderWay},      {kNew, kComplete},
    {kPosted, kUnderWay}, {kPosted, kComplete}, {kUnderWay, kComplete}, {kComplete, kFree},
};

TEST(Request, TakesTheseStepsAndNoOthers) {
    for (const RequestState from : kStates)
        for (const RequestState to : kStates)
            EXPECT_EQ(is_legal(from, to), kSteps.contains({from, to}))
                << static_cast<int>(from) << " to " << static_cast<int>(to);
}

TEST(RequestDeathTest, AStepThatItCannotTakeEndsTheProcess) {
    for (const RequestState from : kStates) {
        for (const RequestState to : kStates) {
            if (kSteps.contains({from, to})) continue;
            Request request;
            request.state = from;
            EXPECT_DEATH(request.enter(to), "a step that it cannot");
        }
    }
}

TEST(RequestDeathTest, IsGivenBackOnlyWhenComplete) {
    ArenaForTests memory{std::size_t{1} << 24};
    Requests requests{&*memory};
    const std::uint32_t number = requests.make(0, RequestKind::kSend);
    EXPECT_DEATH(requests.give_back(number), "a step that it cannot");
}

TEST(RequestDeathTest, IsPostedOnce) {
    ThreeLoopRanks ranks;
    const std::uint32_t number = ranks.receiver.receive({0, 1, 0}, 100);
    EXPECT_DEATH(ranks.receiver.protocol().post(number), "a step that it cannot");
}

TEST(Requests, BeginAsNewWhateverWasThereBefore) {
    ArenaForTests memory{std::size_t{1} << 24};
    Requests requests{&*memory};
    const std::uint32_t number = requests.make(3, RequestKind::kRead);
    Request& first = requests[number];
    first.capacity_bytes = 9, first.message = 8, first.parts = 7, first.is_taken = true;
    const std::uint64_t handle = requests.handle(number);
    first.enter(kComplete);
    requests.give_back(number);
    ASSERT_EQ(requests.make(4, RequestKind::kReceive), number);
    const Request& again = requests[number];
    EXPECT_EQ(again.owner, 4U);
    EXPECT_EQ(again.kind, RequestKind::kReceive);
    EXPECT_EQ(again.state, kNew);
    EXPECT_EQ(again.capacity_bytes + again.parts, 0U);
    EXPECT_EQ(again.message, kNone);
    EXPECT_FALSE(again.is_taken);
    EXPECT_NE(requests.handle(number), handle);
}

TEST(Requests, AreFoundByTheirHandlesUntilTheyAreOver) {
    ArenaForTests memory{std::size_t{1} << 24};
    Requests requests{&*memory};
    std::vector<std::pair<std::uint32_t, std::uint64_t>> made;
    for (std::uint32_t i = 0; i < 1'000; ++i) {
        const std::uint32_t number = requests.make(i % 5, RequestKind::kSend);
        made.emplace_back(number, requests.handle(number));
    }
    EXPECT_EQ(requests.live(), 1'000U);
    for (std::uint32_t i = 0; i < 1'000; ++i) {
        const auto [number, handle] = made[i];
        EXPECT_EQ(requests.find(handle, i % 5), number);
        EXPECT_EQ(requests.find(handle, (i + 1) % 5), kNone) << "another's";
        EXPECT_EQ(requests.find(handle + (std::uint64_t{1} << 32), i % 5), kNone) << "later";
        requests[number].enter(kComplete);
        requests.give_back(number);
        EXPECT_EQ(requests.find(handle, i % 5), kNone) << "over";
    }
    EXPECT_EQ(requests.live(), 0U);
    EXPECT_EQ(requests.find(~std::uint64_t{0}, 0), kNone);
    EXPECT_EQ(requests.find(0, 0), kNone);
}

}  // namespace
}  // namespace kumi::endpoint
