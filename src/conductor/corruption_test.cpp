// Whatever happens to a message in the shared segment: the run ends with a verdict, never with a
// crash or, worse, a result.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>

#include "conductor/early_receive.hpp"
#include "conductor/post.hpp"
#include "conductor/ranks_under_test.hpp"

namespace kumi {
namespace {

/// A run whose ranks are played by the test itself.
class CorruptionTest : public testing::Test {
   protected:
    CorruptionTest() {
        auto& state = writable();
        for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
            state.slot(rank).pid.store(::getpid());
            state.slot(rank).status.store(RankStatus::kBlocked);
        }
        state.phase.store(Phase::kVirtual);
    }

    ConductorState& writable() { return const_cast<ConductorState&>(ranks.run->state()); }

    std::uint32_t post_one(ArrivalAction action) {
        ConductorState& state = writable();
        const std::uint32_t index = state.messages.acquire();
        Message& message = state.messages.at(index);
        message.source = 0;
        message.target = 1;
        message.size_bytes = 256;
        message.action = action;
        message.reply_bytes = action == ArrivalAction::kDeliver ? 0 : 64;
        message.payload = static_cast<std::byte*>(state.arena->allocate(256));
        message.payload_bytes = 256;
        message.remote_key = 1;
        message.sequence = state.slot(0).next_sequence++;
        message.sent = state.network->now();
        post(state, index);
        return index;
    }

    void run_events() {
        ConductorState& state = writable();
        while (state.network->next_event_time() != kNever && ranks.verdict() == VerdictKind::kNone)
            execute_next_event(state);
    }

    RanksUnderTest ranks{3};
};

TEST_F(CorruptionTest, AnUntouchedMessageArrives) {
    const std::uint32_t index = post_one(ArrivalAction::kDeliver);
    run_events();
    EXPECT_EQ(ranks.verdict(), VerdictKind::kNone);
    EXPECT_EQ(take(writable(), 1), index);
}

TEST_F(CorruptionTest, AMessageTakenTwiceIsRefused) {
    const std::uint32_t index = post_one(ArrivalAction::kDeliver);
    run_events();
    ASSERT_EQ(take(writable(), 1), index);
    discard(writable(), index);
    writable().slot(1).inbox.first = index;
    EXPECT_EQ(take(writable(), 1), kNoMessage);
    EXPECT_EQ(ranks.verdict(), VerdictKind::kCorrupt);
}

TEST_F(CorruptionTest, AnInboxThatPointsNowhereIsRefused) {
    writable().slot(1).inbox.first = 0x7FFFFFFF;
    EXPECT_EQ(take(writable(), 1), kNoMessage);
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

    Message& message = writable().messages.at(index);
    const auto flips = *rc::gen::inRange(1, 9);
    Message damaged = message;
    auto* bytes = reinterpret_cast<unsigned char*>(&damaged);
    for (int i = 0; i < flips; ++i) {
        const auto at =
            *rc::gen::inRange<std::size_t>(offsetof(Message, magic), offsetof(Message, seal));
        bytes[at] ^= static_cast<unsigned char>(1U << *rc::gen::inRange(0, 8));
    }
    const bool same = damaged.compute_seal() == message.seal;
    std::memcpy(static_cast<void*>(&message), &damaged, sizeof message);
    run_events();
    if (ranks.verdict() == VerdictKind::kNone) (void)take(writable(), 1);
    // Two flips of one bit cancel out, and padding is not covered: then nothing was damaged.
    if (!same) RC_ASSERT(ranks.verdict() == VerdictKind::kCorrupt);
}

/// Before the seal stands what changes on the way: lists and times. Damage there may go unnoticed,
/// but never leads out of the messages.
RC_GTEST_FIXTURE_PROP(CorruptionTest, DamagedListsLeadNowhere, ()) {
    const std::uint32_t first = post_one(ArrivalAction::kDeliver);
    const std::uint32_t second = post_one(ArrivalAction::kDeliver);
    list_sent(writable(), first);
    list_sent(writable(), second);
    run_events();
    Message& message = writable().messages.at(*rc::gen::element(first, second));
    auto* bytes = reinterpret_cast<unsigned char*>(&message);
    // The four links.
    constexpr std::size_t kLinks = offsetof(Message, next);
    const auto at = *rc::gen::inRange<std::size_t>(kLinks, kLinks + 16);
    bytes[at] ^= static_cast<unsigned char>(1U << *rc::gen::inRange(0, 8));
    for (int i = 0; i < 4 && ranks.verdict() == VerdictKind::kNone; ++i) {
        (void)receive_early(writable(), 1, {.source = 0, .tag = 5});
        (void)take(writable(), 1);
    }
}

}  // namespace
}  // namespace kumi
