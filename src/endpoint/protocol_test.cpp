// Messages between two endpoints: eager ones, large ones, and answers.

#include "endpoint/protocol.hpp"

#include <gtest/gtest.h>

#include "endpoint/testing/loop_driver.hpp"

namespace kumi::endpoint {
namespace {

class ProtocolTest : public testing::Test, protected ThreeLoopRanks {
   protected:
    RequestState state_of(std::uint32_t request) { return network.requests[request].state; }
    /// All that there was is taken: nothing is left of it.
    void expect_nothing_left() {
        for (LoopRank* rank : {&sender, &receiver, &other}) {
            rank->finish_all();
            EXPECT_EQ(rank->endpoint.under_way, 0U);
        }
        EXPECT_EQ(network.requests.live(), 0U);
        EXPECT_EQ(network.held(), 0U);
        EXPECT_FALSE(network.has_double_release());
    }
};

TEST_F(ProtocolTest, UpToTheLimitAMessageIsEager) {
    const std::uint32_t receive = receiver.receive({0, 7, 0}, 100);
    EXPECT_EQ(state_of(receive), RequestState::kPosted);
    EXPECT_EQ(sender.send(1, 7, 100), kNone);
    settle();
    EXPECT_EQ(receiver.completions, std::vector<std::uint32_t>{receive});
    EXPECT_EQ(state_of(receive), RequestState::kComplete);
    EXPECT_EQ(receiver.message_of(receive).head.tag, 7U);
    EXPECT_EQ(receiver.message_of(receive).source, 0U);
    EXPECT_TRUE(receiver.fetched_bytes.empty());
    EXPECT_EQ(receiver.controls_sent + sender.controls_sent, 0);
    expect_nothing_left();
}

TEST_F(ProtocolTest, AboveTheLimitThePayloadWaitsForItsReceive) {
    const std::uint32_t send = sender.send(1, 7, 101);
    settle();
    EXPECT_EQ(state_of(send), RequestState::kUnderWay);
    EXPECT_TRUE(receiver.fetched_bytes.empty());
    receiver.holds_payloads_back = true;
    const std::uint32_t receive = receiver.receive({0, 7, 0}, 200);
    settle();
    EXPECT_EQ(receiver.fetched_bytes, std::vector<std::uint64_t>{101});
    EXPECT_EQ(state_of(receive), RequestState::kUnderWay);
    EXPECT_EQ(receiver.endpoint.under_way, 1U);
    EXPECT_EQ(receiver.charged, Duration{1}) << "only the search; it is not received yet";
    receiver.let_payload_arrive();
    settle();
    EXPECT_EQ(receiver.charged, Duration{10'001});
    EXPECT_EQ(state_of(receive), RequestState::kComplete);
    EXPECT_EQ(receiver.message_of(receive).head.kind, HeadKind::kRequestToSend);
    EXPECT_EQ(receiver.controls_sent, 1);
    EXPECT_EQ(sender.completions, std::vector<std::uint32_t>{send});
    EXPECT_EQ(sender.charged, Duration{0});
    expect_nothing_left();
}

TEST_F(ProtocolTest, AsMuchIsFetchedAsTheReceiveHasRoomFor) {
    for (const std::uint64_t room : {0, 40, 500, 501}) {
        sender.send(1, 1, 500);
        receiver.receive({0, 1, 0}, room);
        settle();
        EXPECT_EQ(receiver.fetched_bytes.back(), std::min<std::uint64_t>(room, 500));
    }
    EXPECT_EQ(receiver.completions.size(), 4U);
    expect_nothing_left();
}

TEST_F(ProtocolTest, ADiscardedMessageFreesItsSender) {
    const std::uint32_t send = sender.send(1, 5, 101);
    settle();
    const matching::Search found = receiver.protocol().look({0, 5, 0}, true, true);
    ASSERT_TRUE(found.found);
    const std::uint32_t discard = receiver.make_receive({}, 0);
    network.requests[discard].discards = true;
    receiver.protocol().receive_taken_out(discard, found.id);
    settle();
    EXPECT_EQ(receiver.fetched_bytes, std::vector<std::uint64_t>{0});
    EXPECT_EQ(state_of(send), RequestState::kComplete);
    EXPECT_EQ(state_of(discard), RequestState::kComplete);
    expect_nothing_left();
}

TEST_F(ProtocolTest, ANoticeEndsASendThatWaitsUntilItIsDelivered) {
    const std::uint32_t send = sender.begin(RequestKind::kSend);
    Head head{.size_bytes = 8, .origin_request = network.requests.handle(send)};
    sender.put(0, 1, head);
    sender.put(1, 0, head, /*is_notice=*/true);
    sender.take_all();
    EXPECT_EQ(sender.completions, std::vector<std::uint32_t>{send});
    EXPECT_EQ(sender.endpoint.envelopes, 0U) << "the notice is no message to its sender";
    EXPECT_EQ(sender.charged, Duration{0});
    receiver.receive({0, 0, 0}, 8);
    settle();
    EXPECT_EQ(receiver.completions.size(), 1U);
    expect_nothing_left();
}

TEST_F(ProtocolTest, RemoteAccessesEndWithTheirAnswers) {
    const std::uint32_t read = sender.begin(RequestKind::kRead);
    const std::uint32_t write = sender.begin(RequestKind::kWrite);
    Head done{.kind = HeadKind::kPutDone, .origin_request = network.requests.handle(write)};
    sender.put(1, 0, done);
    Head data{.kind = HeadKind::kGetData, .origin_request = network.requests.handle(read)};
    const std::uint32_t message = sender.put(1, 0, data);
    EXPECT_EQ(sender.endpoint.under_way, 2U);
    settle();
    EXPECT_EQ(sender.completions, (std::vector<std::uint32_t>{write, read}));
    EXPECT_EQ(network.requests[write].message, kNone);
    EXPECT_EQ(network.requests[read].message, message) << "the data lie in it";
    EXPECT_EQ(network.held(), 1U);
    EXPECT_EQ(sender.endpoint.matches + sender.endpoint.receptions, 0U);
    expect_nothing_left();
}

/// Of what is over, of another rank, or named twice: it changes nothing, and is released.
TEST_F(ProtocolTest, AnswersToWhatIsOverAreDropped) {
    const std::uint32_t read = sender.begin(RequestKind::kRead);
    const std::uint32_t send = sender.begin(RequestKind::kSend);
    for (const std::uint32_t request : {read, send}) {
        for (const HeadKind kind : {HeadKind::kFinished, HeadKind::kPutDone, HeadKind::kGetData}) {
            Head answer{.kind = kind, .origin_request = network.requests.handle(request)};
            sender.put(1, 2, answer);  // to a rank whose request it is not
            answer.origin_request += std::uint64_t{1} << 32;
            sender.put(1, 0, answer);  // about another request in its place
        }
    }
    settle();
    EXPECT_TRUE(sender.completions.empty() && other.completions.empty());
    EXPECT_EQ(network.held(), 0U);
    EXPECT_EQ(sender.endpoint.under_way, 2U);

    Head answer{.kind = HeadKind::kGetData, .origin_request = network.requests.handle(read)};
    for (int i = 0; i < 3; ++i) sender.put(1, 0, answer);  // repeated
    answer.kind = HeadKind::kFinished;
    answer.origin_request = network.requests.handle(send);
    for (int i = 0; i < 3; ++i) sender.put(1, 0, answer);
    settle();
    EXPECT_EQ(sender.completions, (std::vector<std::uint32_t>{read, send}));
    EXPECT_EQ(sender.endpoint.under_way, 0U);
    EXPECT_EQ(network.held(), 1U) << "the first one of the read";
    sender.finish_all();
    sender.put(1, 0, answer);  // late
    const std::uint32_t next = sender.begin(RequestKind::kSend);
    settle();
    EXPECT_EQ(state_of(next), RequestState::kUnderWay) << "in the place of one that is over";
    EXPECT_TRUE(sender.completions.empty());
    EXPECT_EQ(network.held(), 0U);
}

TEST_F(ProtocolTest, APayloadArrivesOnce) {
    const std::uint32_t send = sender.send(1, 1, 101);
    receiver.holds_payloads_back = true;
    const std::uint32_t receive = receiver.receive({0, 1, 0}, 101);
    settle();
    ASSERT_EQ(receiver.payloads_held_back.size(), 1U);
    Head data = receiver.payloads_held_back.front().second;
    sender.put(0, 2, data);  // to another rank
    settle();
    EXPECT_EQ(state_of(receive), RequestState::kUnderWay);
    for (int i = 0; i < 2; ++i) sender.put(0, 1, data);
    settle();
    EXPECT_EQ(receiver.endpoint.receptions, 1U);
    EXPECT_EQ(receiver.charged, Duration{10'001});
    EXPECT_EQ(receiver.controls_sent, 1);
    EXPECT_EQ(sender.completions, std::vector<std::uint32_t>{send});
    receiver.finish_all();
    receiver.let_payload_arrive();  // late
    settle();
    EXPECT_EQ(receiver.endpoint.under_way, 0U);
    expect_nothing_left();
}

TEST_F(ProtocolTest, WhatIsForgottenIsGivenBack) {
    for (std::uint64_t tag = 0; tag < 100; ++tag) sender.send(1, tag, 8, tag % 2 == 0);
    settle();
    for (std::uint64_t tag = 200; tag < 300; ++tag) receiver.receive({0, tag, 0}, 8, tag % 2 == 0);
    receiver.receive_several(4);
    EXPECT_EQ(network.held(), 100U);
    EXPECT_EQ(network.requests.live(), 101U);
    receiver.protocol().forget();
    EXPECT_TRUE(receiver.completions.empty());
    sender.send(1, 200, 8);
    settle();
    EXPECT_EQ(network.requests.live(), 0U);
    EXPECT_TRUE(receiver.matches.empty());
    receiver.protocol().forget();
    EXPECT_EQ(network.held(), 0U);
    expect_nothing_left();
}

}  // namespace
}  // namespace kumi::endpoint
