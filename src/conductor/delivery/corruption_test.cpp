// Whatever happens to a message in the shared segment: the run ends with a verdict, never with a
// crash or, worse, a result.

#include "conductor/testing/corruption_under_test.hpp"

namespace kumi::conductor {
namespace {

TEST_F(CorruptionTest, AnUntouchedMessageArrives) {
    const std::uint32_t index = post_one(ArrivalAction::kDeliver);
    run_events();
    EXPECT_EQ(ranks.verdict(), VerdictKind::kNone);
    EXPECT_EQ(take(state, 1), index);
}

TEST_F(CorruptionTest, AMessageTakenTwiceIsRefused) {
    const std::uint32_t index = post_one(ArrivalAction::kDeliver);
    run_events();
    ASSERT_EQ(take(state, 1), index);
    discard(state, index);
    state.slot(1).inbox.first = index;
    EXPECT_EQ(take(state, 1), kNoMessage);
    EXPECT_EQ(ranks.verdict(), VerdictKind::kCorrupt);
}

/// Damaged after it was taken, when its seal is not looked at again.
TEST_F(CorruptionTest, APayloadOutsideOfTheRunsMemoryIsNotReleased) {
    const std::uint32_t index = post_one(ArrivalAction::kDeliver);
    run_events();
    ASSERT_EQ(take(state, 1), index);
    std::byte*& payload = state.messages.at(index).payload;
    constexpr std::uintptr_t kFarAway = std::uintptr_t{1} << 55;
    payload = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(payload) ^ kFarAway);
    discard(state, index);
    EXPECT_EQ(ranks.verdict(), VerdictKind::kCorrupt);
}

TEST_F(CorruptionTest, AnInboxThatPointsNowhereIsRefused) {
    state.slot(1).inbox.first = 0x7FFFFFFF;
    EXPECT_EQ(take(state, 1), kNoMessage);
    EXPECT_EQ(ranks.verdict(), VerdictKind::kCorrupt);
}

TEST_F(CorruptionTest, AccessOutsideOfExposedMemoryIsRefused) {
    post_one(ArrivalAction::kPut);
    run_events();
    EXPECT_EQ(ranks.verdict(), VerdictKind::kRemoteAccess);
}

/// Bits flipped while the message is on its way, or while it lies in the inbox.
RC_GTEST_FIXTURE_PROP(CorruptionTest, FlippedBitsNeverPass, ()) {
    const auto action = static_cast<ArrivalAction>(*rc::gen::inRange(0, 4));
    const std::uint32_t index = post_one(action);
    const bool in_inbox = action == ArrivalAction::kDeliver && *rc::gen::arbitrary<bool>();
    if (in_inbox) run_events();

    const bool is_damaged = flip_bits(index);
    run_events();
    if (ranks.verdict() == VerdictKind::kNone) (void)take(state, 1);
    if (is_damaged) RC_ASSERT(ranks.verdict() == VerdictKind::kCorrupt);
}

/// Before the seal stands what changes on the way: lists and times. Damage there may go unnoticed,
/// but never leads out of the messages.
RC_GTEST_FIXTURE_PROP(CorruptionTest, DamagedListsLeadNowhere, ()) {
    const std::uint32_t first = post_one(ArrivalAction::kDeliver);
    const std::uint32_t second = post_one(ArrivalAction::kDeliver);
    run_events();
    // The two links, and the receive that will get it.
    constexpr std::size_t kLinks = offsetof(Message, next);
    flip_bit(*rc::gen::element(first, second), kLinks, kLinks + 12);
    for (int i = 0; i < 4 && ranks.verdict() == VerdictKind::kNone; ++i) (void)take(state, 1);
}

}  // namespace
}  // namespace kumi::conductor
