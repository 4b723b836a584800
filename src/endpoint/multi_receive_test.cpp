// Receives that take message after message.

#include <gtest/gtest.h>

#include "endpoint/testing/loop_driver.hpp"

namespace kumi::endpoint {
namespace {

class MultiReceiveTest : public testing::Test, protected ThreeLoopRanks {
   protected:
    Request& at(std::uint32_t request) { return network.requests[request]; }
    void send(std::uint64_t size_bytes) { sender.send(1, 0, size_bytes, /*tagged=*/false); }
    void deliver(std::uint64_t size_bytes) {
        send(size_bytes);
        settle();
    }
    /// Where in the buffer the parts that are complete begin.
    std::vector<std::uint64_t> places() {
        std::vector<std::uint64_t> found;
        for (const std::uint32_t request : receiver.completions)
            if (at(request).parent != kNone) found.push_back(at(request).used_bytes);
        return found;
    }
    using Places = std::vector<std::uint64_t>;
};

TEST_F(MultiReceiveTest, TakesMessagesUntilTooLittleIsLeft) {
    deliver(90);  // before the buffer is there
    const std::uint32_t buffer = receiver.receive_several(400, 150);
    EXPECT_EQ(places(), Places{0});
    EXPECT_EQ(at(buffer).state, RequestState::kPosted);
    deliver(120);  // 96 + 128: 176 are left
    EXPECT_EQ(places(), (Places{0, 96}));
    EXPECT_EQ(at(buffer).state, RequestState::kPosted);
    deliver(90);  // 80 are left: used up
    EXPECT_EQ(places(), (Places{0, 96, 224}));
    EXPECT_EQ(at(buffer).state, RequestState::kUnderWay);
    EXPECT_FALSE(at(buffer).is_multi);
    EXPECT_EQ(at(buffer).parts, 3U);
    deliver(10);  // finds no buffer, and waits
    EXPECT_EQ(places().size(), 3U);
    EXPECT_EQ(receiver.endpoint.unexpected[0].size(), 1U);
    EXPECT_EQ(receiver.endpoint.posted[0].size(), 0U);
}

TEST_F(MultiReceiveTest, ItsPartsAreReceivesOfTheirOwn) {
    const std::uint32_t buffer =
        receiver.make_receive(matching::kAnything, 1'000, /*tagged=*/false);
    at(buffer).is_multi = true;
    at(buffer).local = 77;
    at(buffer).call = 88;
    at(buffer).wants_completion = false;
    receiver.protocol().post(buffer);
    deliver(33);
    ASSERT_EQ(receiver.completions.size(), 1U);
    const Request& part = at(receiver.completions[0]);
    EXPECT_EQ(part.parent, buffer);
    EXPECT_EQ(part.owner, 1U);
    EXPECT_EQ(part.local, 77U);
    EXPECT_EQ(part.call, 88U);
    EXPECT_FALSE(part.wants_completion);
    EXPECT_FALSE(part.tagged);
    EXPECT_EQ(part.capacity_bytes, 33U) << "exactly the message";
    EXPECT_EQ(receiver.matches.size(), 1U);
    EXPECT_EQ(receiver.matches[0].first, receiver.completions[0]);
}

TEST_F(MultiReceiveTest, TakesAllThatIsThereInOrderAsLongAsThereIsRoom) {
    for (const std::uint64_t size : {16, 32, 150, 48, 64}) deliver(size);
    const std::uint32_t buffer = receiver.receive_several(16 + 32 + 160 + 48);
    settle();
    EXPECT_EQ(places(), (Places{0, 16, 208, 48})) << "the large one is complete last";
    EXPECT_EQ(at(buffer).state, RequestState::kUnderWay) << "full to the last byte";
    EXPECT_EQ(receiver.endpoint.unexpected[0].size(), 1U);
}

TEST_F(MultiReceiveTest, WhatDoesNotFitIsLeftToTheNext) {
    const std::uint32_t first = receiver.receive_several(100);
    const std::uint32_t second = receiver.receive_several(1'000);
    send(60);
    send(60);
    deliver(20);
    ASSERT_EQ(receiver.completions.size(), 3U);
    EXPECT_EQ(at(receiver.completions[0]).parent, first);
    EXPECT_EQ(at(receiver.completions[1]).parent, second);
    EXPECT_EQ(at(receiver.completions[2]).parent, first) << "there is still room for that";
    EXPECT_EQ(places(), (Places{0, 0, 64}));
    EXPECT_EQ(receiver.charged, Duration{3 * 10'000 + 1 + 2 + 1});
}

TEST_F(MultiReceiveTest, AMessageThatIsThereAndDoesNotFitKeepsItsPlace) {
    deliver(90);
    const std::uint32_t small = receiver.receive_several(50);
    EXPECT_TRUE(receiver.completions.empty());
    EXPECT_EQ(at(small).state, RequestState::kPosted);
    receiver.receive_several(500);
    EXPECT_EQ(receiver.completions.size(), 1U);
    EXPECT_EQ(places(), Places{0});
}

/// The last message ends at the buffer's end, although its place does not end there.
TEST_F(MultiReceiveTest, RoundingUpTakesNoRoomThatIsNotThere) {
    const std::uint32_t buffer = receiver.receive_several(100);
    deliver(97);
    EXPECT_EQ(at(buffer).state, RequestState::kUnderWay);
    EXPECT_EQ(at(buffer).used_bytes, 100U);
    const std::uint32_t next = receiver.receive_several(100);
    deliver(100);
    EXPECT_EQ(at(next).state, RequestState::kUnderWay);
    EXPECT_EQ(receiver.completions.size(), 2U);
}

TEST_F(MultiReceiveTest, IsUsedUpWithLessThanTheMinimumLeft) {
    for (const std::uint32_t left : {15, 16, 17}) {
        const std::uint32_t buffer = receiver.receive_several(96 + left, 16);
        deliver(96);
        EXPECT_EQ(at(buffer).state, left < 16 ? RequestState::kUnderWay : RequestState::kPosted)
            << left;
        receiver.protocol().cancel(buffer);
    }
}

TEST_F(MultiReceiveTest, CancelledItTakesNoMoreAndItsPartsGoOn) {
    receiver.holds_payloads_back = true;
    const std::uint32_t buffer = receiver.receive_several(400);
    deliver(101);
    EXPECT_TRUE(receiver.protocol().cancel(buffer));
    EXPECT_EQ(receiver.completions, std::vector<std::uint32_t>{buffer});
    EXPECT_TRUE(at(buffer).is_cancelled);
    EXPECT_FALSE(at(buffer).is_multi) << "it goes with its last part";
    EXPECT_EQ(at(buffer).parts, 1U);
    EXPECT_FALSE(receiver.protocol().cancel(buffer));
    receiver.let_payload_arrive();
    settle();
    ASSERT_EQ(receiver.completions.size(), 2U);
    EXPECT_EQ(at(receiver.completions[1]).parent, buffer);
    EXPECT_EQ(sender.completions.size(), 1U);
    deliver(8);
    EXPECT_EQ(receiver.completions.size(), 2U);
    EXPECT_EQ(receiver.endpoint.receptions, 1U);
    EXPECT_EQ(receiver.endpoint.under_way, 0U);
}

TEST_F(MultiReceiveTest, UsedUpItCannotBeCancelled) {
    receiver.holds_payloads_back = true;
    const std::uint32_t buffer = receiver.receive_several(112);
    deliver(112);
    EXPECT_EQ(at(buffer).state, RequestState::kUnderWay);
    EXPECT_FALSE(receiver.protocol().cancel(buffer));
    EXPECT_FALSE(at(buffer).is_cancelled);
    receiver.let_payload_arrive();
    settle();
    EXPECT_EQ(receiver.completions.size(), 1U);
}

}  // namespace
}  // namespace kumi::endpoint
