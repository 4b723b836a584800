// Whatever happens to messages that processes know of, or send, ahead of their ranks' clocks: a
// verdict ends the run.

#include <vector>

#include "conductor/testing/corruption_under_test.hpp"

namespace kumi::conductor {
namespace {

constexpr matching::Pattern kFromZero{.source = 0, .tag = 0, .ignore = 0};

class EarlyCorruptionTest : public CorruptionTest {
   protected:
    /// Rank 1 waits for its receive, after what it has asked for before.
    void await(std::uint32_t receive) {
        state.slot(1).stream.add({.kind = StreamOperation::Kind::kWait, .number = receive});
        state.requests[receive].is_awaited = true;
        carry_out(state, 1);
        run_to_the_end();
    }
};

/// A message that a process has sent ahead of its rank's clock, before it is on its way.
RC_GTEST_FIXTURE_PROP(EarlyCorruptionTest, FlippedBitsNeverPassLater, ()) {
    const std::uint32_t index = send_later(1, 2);
    const bool is_damaged = flip_bits(index);
    carry_out(state, 1);
    run_to_the_end();
    RC_ASSERT(ranks.verdict() == (is_damaged ? VerdictKind::kCorrupt : VerdictKind::kNone));
}

TEST_F(EarlyCorruptionTest, AMessageThatDoesNotExistIsNotSent) {
    state.slot(1).stream.add({.kind = StreamOperation::Kind::kSend, .number = 0x7FFFFFFF});
    carry_out(state, 1);
    EXPECT_EQ(ranks.verdict(), VerdictKind::kCorrupt);
}

/// Ways in which a rank, or all of them, come to make no more pairs.
enum class Afterwards { kGoesOn, kStaysInTime, kAllStayInTime, kUsesWindows, kInBackground };

class PairsAfterwards : public EarlyCorruptionTest, public testing::WithParamInterface<Afterwards> {
   protected:
    void end_running_ahead() {
        switch (GetParam()) {
            case Afterwards::kGoesOn:
                return;
            case Afterwards::kStaysInTime:
                return keep_in_time(state.slot(1));
            case Afterwards::kAllStayInTime:
                return keep_all_in_time(state);
            case Afterwards::kUsesWindows:
                return (void)note_call(state, 1, CallClass::kWindow);
            case Afterwards::kInBackground:
                return (void)note_call(state, 1, CallClass::kBackground);
        }
    }
};

/// What the endpoint matches is not what was said to be certain.
TEST_P(PairsAfterwards, AnotherPairThanTheCertainOneIsRefused) {
    const std::uint32_t first = post_paired();
    const std::uint32_t second = post_paired();
    const std::uint32_t receive = make_paired(kFromZero);
    ASSERT_EQ(state.requests[receive].paired, first);
    state.requests[receive].paired = second;
    end_running_ahead();
    state.slot(1).stream.add({.kind = StreamOperation::Kind::kPost, .number = receive});
    await(receive);
    EXPECT_EQ(ranks.verdict(), VerdictKind::kCorrupt);
}

INSTANTIATE_TEST_SUITE_P(EarlyCorruptionTest, PairsAfterwards,
                         testing::Values(Afterwards::kGoesOn, Afterwards::kStaysInTime,
                                         Afterwards::kAllStayInTime, Afterwards::kUsesWindows,
                                         Afterwards::kInBackground));

/// Rank 1 takes a receive back.
class CancelTest : public EarlyCorruptionTest {
   protected:
    std::uint32_t make_posted(const matching::Pattern& pattern) {
        const std::uint32_t receive = make_paired(pattern);
        RankEndpoint(state, 1).protocol().post(receive);
        return receive;
    }
    void cancel(std::uint32_t receive) {
        ASSERT_TRUE(RankEndpoint(state, 1).protocol().cancel(receive));
        withdraw_receive(state, 1, receive);
    }
};

/// A receive that is cancelled leaves its message to the next one.
TEST_F(CancelTest, AReceiveThatHadAMessageDissolvesAllPairs) {
    (void)post_paired();
    (void)post_paired();
    const std::uint32_t first = make_posted(kFromZero), second = make_posted(kFromZero);
    ASSERT_EQ(state.slot(1).pairing.pairs, 2U);
    cancel(first);
    EXPECT_EQ(state.slot(1).pairing.pairs, 0U);
    EXPECT_TRUE(state.keeps_in_time(1));
    await(second);
    EXPECT_EQ(ranks.verdict(), VerdictKind::kNone);
    EXPECT_EQ(state.slot(1).endpoint.matches, 1U);
    EXPECT_EQ(state.slot(1).endpoint.unexpected[1].size(), 1U) << "the other one's message";
}

/// The message of the one that stays is as certain as if there had been no other.
TEST_F(CancelTest, AReceiveWithoutAMessageIsForgotten) {
    const std::uint32_t first = make_posted(kFromZero), second = make_posted(kFromZero);
    cancel(first);
    const std::uint32_t message = post_paired();
    EXPECT_EQ(state.requests[second].paired, message);
    EXPECT_FALSE(state.keeps_in_time(1));
    await(second);
    EXPECT_EQ(ranks.verdict(), VerdictKind::kNone);
    EXPECT_EQ(state.slot(1).endpoint.matches, 1U);
    EXPECT_EQ(state.slot(1).pairing.pairs, 0U);
}

/// Those that were posted after one from any source need not wait for it any more.
TEST_F(CancelTest, AReceiveFromAnySourceHoldsNoOtherBack) {
    const std::uint32_t message = post_paired();
    const std::uint32_t first = make_posted(matching::kAnything), second = make_posted(kFromZero);
    ASSERT_EQ(state.requests[second].paired, endpoint::kNone);
    cancel(first);
    EXPECT_EQ(state.requests[second].paired, message);
    EXPECT_FALSE(state.keeps_in_time(1));
    await(second);
    EXPECT_EQ(ranks.verdict(), VerdictKind::kNone);
    EXPECT_EQ(state.slot(1).endpoint.matches, 1U);
}

/// Of two receives from any source only the first can be the one that the endpoint matches.
TEST_F(EarlyCorruptionTest, ReceivesFromAnySourceAreConfirmedInOrder) {
    const std::uint32_t message = post_paired();
    (void)make_paired(matching::kAnything);
    confirm_pair(state, 1, make_paired(matching::kAnything), message);
    EXPECT_EQ(ranks.verdict(), VerdictKind::kCorrupt);
}

/// Virtual time ends while a certain message is on its way: it arrives in real time, where none is
/// certain any more.
TEST(Corruption, IsNotSeenInAPairThatMeetsAfterVirtualTime) {
    RanksUnderTest ranks(2);
    ranks.complete([](AllPorts& port) {
        std::uint32_t receive = endpoint::kNone;
        {
            const InCall call(port, "call");
            if (port.rank() == 0) send_bytes(port, 1, 8);
            if (port.rank() == 1) receive = post_receive(port, kFromZero);
        }
        port.finish();
        if (port.rank() == 1) {
            while (port.request(receive).state != endpoint::RequestState::kComplete) port.look();
            port.forget();
        }
        ::_exit(0);
    });
    EXPECT_EQ(ranks.run->state().ranks[1].pairing.pairs, 1U);
}

/// A process that is far ahead is synchronised when it sends. Meanwhile the one that is certain to
/// get the message, and waits for nothing else, reads it.
TEST(Corruption, IsNotSeenInWhatAFullStreamHolds) {
    RanksUnderTest ranks(2);
    ranks.complete([](AllPorts& port) {
        constexpr std::uint32_t kCalls = Stream::kRoom / 2;  // Each begins and ends.
        const matching::Pattern from_other{.source = 1 - port.rank(), .tag = 0, .ignore = 0};
        for (std::uint32_t calls = kCalls - 10; calls < kCalls + 2; ++calls) {
            for (std::uint32_t call = 0; port.rank() == 1 && call < calls; ++call) {
                port.compute(Duration{1});
                InCall(port, "call");
            }
            // Two, so that one of them is sent when the number of operations is even.
            const InCall call(port, "exchange");
            for (int i = 0; i < 2; ++i) {
                if (port.rank() == 1) send_bytes(port, 0, 8);
                if (port.rank() == 0) wait_for(port, post_receive(port, from_other));
            }
            if (port.rank() == 0) send_bytes(port, 1, 8);
            if (port.rank() == 1) wait_for(port, post_receive(port, from_other));
        }
    });
}

/// Rank 1, whose process runs ahead whenever it can.
class AheadTest : public CorruptionTest {
   protected:
    RankSlot& slot = state.slot(1);
    std::vector<std::uint32_t> sent;

    void add(const StreamOperation& operation) {
        slot.stream.add(operation);
        if (slot.stream.size() > 1 || slot.status.load() != RankStatus::kBlocked) return;
        // Nothing is ahead of its clock: its process would have been resumed, and acts now.
        slot.clock = later(slot.clock, state.network->now());
        carry_out(state, 1);
    }
    void receive() {
        const std::uint32_t number = make_paired(kFromZero);
        add({.kind = StreamOperation::Kind::kPost, .number = number});
        if (*rc::gen::arbitrary<bool>()) return;
        state.requests[number].is_awaited = true;
        ++state.deferred;
        add({.kind = StreamOperation::Kind::kWait, .is_exact = true, .number = number});
    }
    /// A link that leads to another message, or a bit from the links to the seal.
    void damage_one() {
        const std::uint32_t index = *rc::gen::elementOf(sent);
        const auto link = *rc::gen::element(&Message::next, &Message::previous, &Message::paired);
        if (*rc::gen::arbitrary<bool>())
            state.messages.at(index).*link = *rc::gen::elementOf(sent);
        else
            flip_bit(index, offsetof(Message, next), offsetof(Message, seal));
    }
    void act(bool may_damage) {
        switch (*rc::gen::inRange(0, may_damage ? 8 : 7)) {
            case 0:
            case 1:
                sent.push_back(post_paired());
                return;
            case 2:
                if (!slot.stream.empty()) sent.push_back(send_later(1, 2));
                return;
            case 3:
            case 4:
                return receive();
            case 5:
            case 6:
                (void)go_on();
                return;
            default:
                if (!sent.empty()) damage_one();
        }
    }
};

RC_GTEST_FIXTURE_PROP(AheadTest, GoesOnWithoutDamage, ()) {
    const auto deeds = *rc::gen::inRange(0, 60);
    for (int deed = 0; deed < deeds; ++deed) act(/*may_damage=*/false);
    run_to_the_end();
    RC_ASSERT(ranks.verdict() == VerdictKind::kNone);
}

/// With any damage, what follows comes to an end.
RC_GTEST_FIXTURE_PROP(AheadTest, DamageLeadsNowhere, ()) {
    const auto deeds = *rc::gen::inRange(0, 60);
    for (int deed = 0; deed < deeds && ranks.verdict() == VerdictKind::kNone; ++deed)
        act(/*may_damage=*/true);
    run_to_the_end();
}

/// Processes that receive and send what is damaged behind their backs.
TEST(Corruption, AProcessDoesNotGoOnWithADamagedMessage) {
    RanksUnderTest ranks(2);
    ranks.fail(VerdictKind::kCorrupt, [](AllPorts& port) {
        if (port.rank() == 0) {
            const std::uint32_t index = port.prepare(1, MessageKind::kEager, 0);
            port.send(index);
            port.message(index).size_bytes = 1;
            return;
        }
        const InCall call(port, "receive");
        wait_for(port, post_receive(port, kFromZero));
        send_bytes(port, 0, 8);
    });
    EXPECT_EQ(ranks.run->state().ranks[1].next_sequence, 0U);
}

TEST(Corruption, WhatIsSentAheadOfTheClockIsChecked) {
    RanksUnderTest ranks(2);
    ranks.fail(VerdictKind::kCorrupt, [](AllPorts& port) {
        if (port.rank() == 0) return send_bytes(port, 1, 8);
        const InCall call(port, "receive");
        wait_for(port, post_receive(port, kFromZero));
        const std::uint32_t index = port.prepare(0, MessageKind::kEager, 0);
        port.send(index);
        port.message(index).target = 0x7FFFFFFF;
    });
}

}  // namespace
}  // namespace kumi::conductor
