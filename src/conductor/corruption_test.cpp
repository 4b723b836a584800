// Whatever happens to a message in the shared segment: the run ends with a verdict, never with a
// crash or, worse, a result.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>

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
    writable().slot(1).inbox_first = index;
    EXPECT_EQ(take(writable(), 1), kNoMessage);
    EXPECT_EQ(ranks.verdict(), VerdictKind::kCorrupt);
}

TEST_F(CorruptionTest, AnInboxThatPointsNowhereIsRefused) {
    writable().slot(1).inbox_first = 0x7FFFFFFF;
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
    // Below zero, an offset is larger than any size.
    const auto lies_in = [](std::size_t offset, std::size_t begin, std::size_t size_bytes) {
        return offset - begin < size_bytes;
    };
    const auto flips = *rc::gen::inRange(1, 9);
    Message damaged = message;
    auto* bytes = reinterpret_cast<unsigned char*>(&damaged);
    for (int i = 0; i < flips; ++i) {
        // Everything but the link of the inbox and the time of arrival, which change on the way.
        const auto at = *rc::gen::suchThat(
            rc::gen::inRange<std::size_t>(0, offsetof(Message, seal)), [&](std::size_t offset) {
                return !lies_in(offset, offsetof(Message, next), sizeof(Message::next)) &&
                       !lies_in(offset, offsetof(Message, arrived), sizeof(Message::arrived));
            });
        bytes[at] ^= static_cast<unsigned char>(1U << *rc::gen::inRange(0, 8));
    }
    const bool same = damaged.compute_seal() == message.seal;
    std::memcpy(static_cast<void*>(&message), &damaged, sizeof message);
    run_events();
    if (ranks.verdict() == VerdictKind::kNone) (void)take(writable(), 1);
    // Two flips of one bit cancel out, and padding is not covered: then nothing was damaged.
    if (!same) RC_ASSERT(ranks.verdict() == VerdictKind::kCorrupt);
}

}  // namespace
}  // namespace kumi
