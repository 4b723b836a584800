// Whatever happens to messages that ranks receive, or send, ahead of their clocks: a verdict ends
// the run.

#include <vector>

#include "conductor/corruption_under_test.hpp"

namespace kumi {
namespace {

class EarlyCorruptionTest : public CorruptionTest {};

/// A message that is received early, from when it has been sent until it has arrived.
RC_GTEST_FIXTURE_PROP(EarlyCorruptionTest, FlippedBitsNeverPassEarly, ()) {
    const std::uint32_t index = post_listed();
    const auto moment = *rc::gen::inRange(0, 4);
    bool is_damaged = false;
    if (moment == 0) is_damaged = flip_bits(index);
    const bool is_given = receive_early_from(0, 1);
    if (moment == 1) is_damaged = flip_bits(index);
    if (moment == 2) run_to_the_end();
    if (moment == 2) is_damaged = flip_bits(index);
    if (is_given) {
        const std::uint32_t taken = take_early(writable(), 1);
        RC_ASSERT(taken == (is_damaged ? kNoMessage : index));
    }
    if (moment == 3) is_damaged = flip_bits(index);
    run_to_the_end();
    RC_ASSERT(ranks.verdict() == (is_damaged ? VerdictKind::kCorrupt : VerdictKind::kNone));
}

/// A message that a rank has sent ahead of its clock, before it is on its way.
RC_GTEST_FIXTURE_PROP(EarlyCorruptionTest, FlippedBitsNeverPassLater, ()) {
    const std::uint32_t early = post_listed();
    RC_ASSERT(receive_early_from(0, 1));
    RC_ASSERT(take_early(writable(), 1) == early);
    const std::uint32_t index = send_later(1, 2);
    const bool goes_on = *rc::gen::arbitrary<bool>();
    if (goes_on) RC_ASSERT(receive_early_from(1, 2));
    const bool is_damaged = flip_bits(index);
    run_to_the_end();
    if (goes_on && ranks.verdict() == VerdictKind::kNone) (void)take_early(writable(), 2);
    RC_ASSERT(ranks.verdict() == (is_damaged ? VerdictKind::kCorrupt : VerdictKind::kNone));
}

RC_GTEST_FIXTURE_PROP(EarlyCorruptionTest, AStepWithAMessageThatDoesNotExistIsRefused, ()) {
    using Kind = DeferredStep::Kind;
    const Kind kind = *rc::gen::element(Kind::kSend, Kind::kReceive, Kind::kWait);
    writable().slot(1).steps.add({.kind = kind, .message = 0x7FFFFFFF});
    carry_out_steps(writable(), 1);
    RC_ASSERT(ranks.verdict() == VerdictKind::kCorrupt);
}

TEST_F(EarlyCorruptionTest, AnEarlyMessageThatDoesNotExistIsRefused) {
    writable().slot(1).early = 0x7FFFFFFF;
    EXPECT_EQ(take_early(writable(), 1), kNoMessage);
    EXPECT_EQ(ranks.verdict(), VerdictKind::kCorrupt);
}

/// Rank 1, which receives early whatever it can, as its process would go on.
class AheadTest : public CorruptionTest {
   protected:
    RankSlot& slot = writable().slot(1);
    std::vector<std::uint32_t> sent;

    /// Whether its process may do something now.
    bool can_act() {
        return slot.process != ProcessState::kAwaitsMessage &&
               slot.status.load() == RankStatus::kBlocked;
    }
    void receive() {
        if (slot.early == kNoMessage) {
            if (!receive_early_from(0, 1)) slot.process = ProcessState::kAwaitsMessage;
            return;
        }
        if (slot.process == ProcessState::kReady) writable().ready.remove(1);
        slot.process = ProcessState::kRuns;
        const std::uint32_t taken = take_early(writable(), 1);
        if (taken != kNoMessage && *rc::gen::arbitrary<bool>()) discard(writable(), taken);
    }
    /// A link that leads to another message, or a bit from the links to the seal.
    void damage_one() {
        Message& message = writable().messages.at(*rc::gen::elementOf(sent));
        const auto link = *rc::gen::element(&Message::next, &Message::previous, &Message::next_sent,
                                            &Message::previous_sent);
        if (*rc::gen::arbitrary<bool>()) {
            message.*link = *rc::gen::elementOf(sent);
            return;
        }
        auto* bytes = reinterpret_cast<unsigned char*>(&message);
        const auto at =
            *rc::gen::inRange<std::size_t>(offsetof(Message, next), offsetof(Message, seal));
        bytes[at] ^= static_cast<unsigned char>(1U << *rc::gen::inRange(0, 8));
    }
    void send() {
        if (*rc::gen::arbitrary<bool>())
            sent.push_back(post_listed());
        else if (can_act() && !slot.steps.empty())
            sent.push_back(send_later(1, 2));
    }
    void post_receive() {
        if (can_act() && !slot.steps.empty())
            slot.steps.add({.kind = DeferredStep::Kind::kPost, .message = 0});
    }
    void act(bool may_damage) {
        switch (*rc::gen::inRange(0, may_damage ? 8 : 7)) {
            case 0:
            case 1:
                return send();
            case 2:
            case 3:
                if (can_act()) receive();
                return;
            case 4:
                return post_receive();
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
TEST(Corruption, ARankDoesNotGoOnWithADamagedMessage) {
    RanksUnderTest ranks(2);
    ranks.start([](RankPort& port) {
        if (port.rank() == 0) {
            const std::uint32_t index = port.prepare(1, MessageKind::kEager, 0);
            port.send(index);
            port.message(index).size_bytes = 1;
            return 0;
        }
        port.enter(CallClass::kBlocking, "receive");
        port.block({{.source = 0, .tag = 0, .ignore = 0}});
        (void)port.take();
        send_bytes(port, 0, 8);
        port.leave();
        return 0;
    });
    EXPECT_FALSE(ranks.end());
    EXPECT_EQ(ranks.verdict(), VerdictKind::kCorrupt);
    EXPECT_EQ(ranks.run->state().ranks[1].next_sequence, 0U);
}

TEST(Corruption, WhatARankSendsAheadOfItsClockIsChecked) {
    RanksUnderTest ranks(2);
    ranks.start([](RankPort& port) {
        if (port.rank() == 0) {
            send_bytes(port, 1, 8);
            return 0;
        }
        port.enter(CallClass::kBlocking, "receive");
        port.block({{.source = 0, .tag = 0, .ignore = 0}});
        port.discard(port.take());
        const std::uint32_t index = port.prepare(0, MessageKind::kEager, 0);
        port.send(index);
        port.message(index).target = 0x7FFFFFFF;
        port.leave();
        return 0;
    });
    EXPECT_FALSE(ranks.end());
    EXPECT_EQ(ranks.verdict(), VerdictKind::kCorrupt);
}

}  // namespace
}  // namespace kumi
