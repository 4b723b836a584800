#include "conductor/run_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace kumi {
namespace {

constexpr std::size_t kArenaBytes = std::size_t{1} << 20;

class RunQueueTest : public testing::Test {
   protected:
    std::unique_ptr<std::byte[]> memory = std::make_unique<std::byte[]>(kArenaBytes + 64);
    Arena* arena = make_arena();

    Arena* make_arena() {
        auto address = (reinterpret_cast<std::uintptr_t>(memory.get()) + 63) & ~std::uintptr_t{63};
        return Arena::create(reinterpret_cast<void*>(address), kArenaBytes, false);
    }
};

TEST_F(RunQueueTest, RanksOfOneInstantComeInTheirOrder) {
    RunQueue queue(arena, 3);
    queue.push(Instant{5}, 2);
    queue.push(Instant{5}, 0);
    queue.push(Instant{5}, 1);
    EXPECT_EQ(queue.pop().rank, 0U);
    EXPECT_EQ(queue.pop().rank, 1U);
    EXPECT_EQ(queue.pop().rank, 2U);
    EXPECT_TRUE(queue.empty());
}

TEST_F(RunQueueTest, MoreEntriesThanRanksEndTheProcess) {
    RunQueue queue(arena, 1);
    queue.push(Instant{1}, 0);
    EXPECT_DEATH(queue.push(Instant{2}, 0), "twice");
}

RC_GTEST_FIXTURE_PROP(RunQueueTest, AgreesWithASortedVector, ()) {
    const auto clocks =
        *rc::gen::container<std::vector<std::int16_t>>(rc::gen::arbitrary<std::int16_t>());
    RunQueue queue(arena, static_cast<std::uint32_t>(clocks.size()));
    std::vector<RunQueue::Entry> model;
    std::uint32_t rank = 0;
    for (const std::int16_t clock : clocks) {
        queue.push(Instant{clock}, rank);
        model.push_back({Instant{clock}, rank++});
        if (*rc::gen::inRange(0, 3) != 0) continue;
        const auto smallest = std::min_element(model.begin(), model.end());
        const RunQueue::Entry popped = queue.pop();
        RC_ASSERT(popped.clock == smallest->clock);
        RC_ASSERT(popped.rank == smallest->rank);
        model.erase(smallest);
    }
    std::sort(model.begin(), model.end());
    for (const auto& expected : model) {
        const RunQueue::Entry popped = queue.pop();
        RC_ASSERT(popped.rank == expected.rank);
    }
    RC_ASSERT(queue.empty());
}

}  // namespace
}  // namespace kumi
