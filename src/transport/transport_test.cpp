#include <gtest/gtest.h>

#include "transport/transport_under_test.hpp"

namespace kumi {
namespace {

using Status = Completion::Status;

const std::string kSmall(100, 's');  // just eager
const std::string kLarge(101, 'L');  // just not

INSTANTIATE_TEST_SUITE_P(Memory, TransportTest, testing::Bool(), [](const auto& about) {
    return about.param ? "PeersReadable" : "PeersNotReadable";
});

TEST_P(TransportTest, UpToTheLimitAMessageIsEager) {
    std::string out = kSmall, in(100, '.');
    int context = 0;
    receive(in, {0, 7, 0}, &context);
    send(out, 7);
    EXPECT_EQ(sender.next().operation, Completion::Operation::kSend);
    settle();
    EXPECT_EQ(in, kSmall);
    const Completion completion = receiver.next();
    EXPECT_EQ(completion.context, &context);
    EXPECT_EQ(completion.size_bytes, 100U);
    EXPECT_EQ(completion.tag, 7U);
    EXPECT_EQ(completion.source, 0U);
    EXPECT_EQ(sender.wire.carried[TrafficClass::kEager], 1);
    EXPECT_EQ(sender.wire.carried[TrafficClass::kControl], 0);
    EXPECT_EQ(sender.wire.requests_sent, 0);
}

TEST_P(TransportTest, ASendMayBeCompleteOnlyWhenDelivered) {
    sender.wire.parameters_in_use.sends_complete_delivered = true;
    std::string out = kSmall, in(100, '.');
    int context = 0;
    send(out, 7, &context);
    EXPECT_TRUE(sender.completions.empty());
    settle();
    const Completion completion = sender.next();
    EXPECT_EQ(completion.operation, Completion::Operation::kSend);
    EXPECT_EQ(completion.context, &context);
    EXPECT_TRUE(receiver.completions.empty()) << "delivered is not received";
    receive(in, {0, 7, 0});
    settle();
    EXPECT_EQ(in, kSmall);
    EXPECT_EQ(receiver.next().size_bytes, 100U);
    EXPECT_TRUE(sender.completions.empty());
    EXPECT_EQ(sender.wire.held() + receiver.wire.held(), 0U);
}

TEST_P(TransportTest, ASendThatNobodyWaitsForAsksForNoNotice) {
    sender.wire.parameters_in_use.sends_complete_delivered = true;
    std::string out = kSmall, in(100, '.');
    SendOptions options;
    options.wants_completion = false;
    sender.transport.send(1, all_of(out), nullptr, options);
    EXPECT_TRUE(sender.wire.inbox.empty());
    receive(in, {0, 0, 0});
    settle();
    EXPECT_EQ(in, kSmall);
    EXPECT_TRUE(sender.completions.empty());
}

TEST_P(TransportTest, AboveTheLimitThePayloadWaitsForItsReceive) {
    std::string out = kLarge, in(101, '.');
    send(out, 7);
    settle();
    EXPECT_TRUE(sender.completions.empty());
    receive(in, {0, 7, 0});
    settle();
    EXPECT_EQ(in, kLarge);
    EXPECT_EQ(sender.next().operation, Completion::Operation::kSend);
    EXPECT_EQ(receiver.next().size_bytes, 101U);
    EXPECT_EQ(sender.wire.carried[TrafficClass::kEager], 0);
    EXPECT_EQ(sender.wire.requests_sent, 1);
    EXPECT_EQ(receiver.wire.requests_sent, 0) << "what it answers announces nothing";
    EXPECT_EQ(receiver.wire.carried[TrafficClass::kRendezvous], 1);
}

TEST_P(TransportTest, AReusableBufferMayChangeAtOnce) {
    std::string out = kLarge, in(101, '.');
    SendOptions options;
    options.buffer_reusable = true;
    sender.transport.send(1, all_of(out), nullptr, options);
    out.assign(101, '!');
    receive(in, {0, 0, 0});
    settle();
    EXPECT_EQ(in, kLarge);
}

TEST_P(TransportTest, ScatteredBuffersAreGatheredAndScattered) {
    std::string first(70, 'a'), second(80, 'b'), third(60, '.'), fourth(90, '.');
    const iovec from[] = {{first.data(), 70}, {second.data(), 80}};
    const iovec into[] = {{third.data(), 60}, {fourth.data(), 90}};
    sender.transport.send(1, Buffer::of(from, 2), nullptr, {});
    receiver.transport.receive({0, 0, 0}, Buffer::of(into, 2), nullptr, {});
    settle();
    EXPECT_EQ(third + fourth, first + second);
}

TEST_P(TransportTest, WhatDoesNotFitIsReportedAndCutOff) {
    for (const std::string& message : {kSmall, kLarge}) {
        std::string out = message, in(40, '.'), behind = "untouched";
        receive(in, {0, 0, 0});
        send(out, 0);
        settle();
        const Completion completion = receiver.next();
        EXPECT_EQ(completion.status, Status::kTruncated);
        EXPECT_EQ(completion.size_bytes, 40U);
        EXPECT_EQ(completion.missing_bytes, message.size() - 40);
        EXPECT_EQ(in, message.substr(0, 40));
        EXPECT_EQ(sender.next().status, Status::kOk);
    }
}

TEST_P(TransportTest, MessagesOfAPairMatchInOrderWhateverTheirSize) {
    std::string one = kLarge, two = kSmall, three = kLarge;
    one[0] = '1', two[0] = '2', three[0] = '3';
    std::string in[3] = {std::string(101, '.'), std::string(101, '.'), std::string(101, '.')};
    send(one, 5);
    send(two, 5);
    receive(in[0], {matching::kAnySource, 5, 0});
    settle();
    send(three, 5);
    receive(in[1], {0, 5, 0});
    receive(in[2], {matching::kAnySource, 0, ~std::uint64_t{0}});
    settle();
    EXPECT_EQ(in[0][0], '1');
    EXPECT_EQ(in[1][0], '2');
    EXPECT_EQ(in[2][0], '3');
}

TEST_P(TransportTest, PeekLeavesClaimTakes) {
    std::string out = kLarge, in(101, '.');
    int context = 0;
    receiver.transport.peek({0, 5, 0}, &context, true, false);
    EXPECT_EQ(receiver.next().status, Status::kNoMessage);
    send(out, 5);
    receiver.transport.peek({0, 5, 0}, &context, true, false);
    EXPECT_EQ(receiver.next().size_bytes, 101U);
    receiver.transport.peek({0, 5, 0}, &context, true, true);
    EXPECT_EQ(receiver.next().status, Status::kOk);
    std::string other(101, '.');
    receiver.transport.peek({0, 5, 0}, &other, true, false);
    EXPECT_EQ(receiver.next().status, Status::kNoMessage);
    EXPECT_FALSE(receiver.transport.receive_claimed(all_of(in), &other, false));
    EXPECT_TRUE(receiver.transport.receive_claimed(all_of(in), &context, false));
    settle();
    EXPECT_EQ(in, kLarge);
    EXPECT_EQ(receiver.next().context, &context);
}

TEST_P(TransportTest, ADiscardedMessageFreesItsSender) {
    std::string out = kLarge;
    int context = 0;
    send(out, 5);
    receiver.transport.peek({0, 5, 0}, &context, true, true);
    receiver.next();
    EXPECT_TRUE(receiver.transport.receive_claimed({}, &context, true));
    settle();
    EXPECT_EQ(sender.next().operation, Completion::Operation::kSend);
    EXPECT_EQ(receiver.next().status, Status::kOk);
    EXPECT_EQ(receiver.wire.held(), 0U);
}

TEST_P(TransportTest, ACancelledReceiveMatchesNothing) {
    std::string out = kSmall, first(100, '.'), second(100, '.');
    int one = 0, two = 0;
    receive(first, {0, 5, 0}, &one);
    receive(second, {0, 5, 0}, &two);
    EXPECT_TRUE(receiver.transport.cancel(&one));
    EXPECT_EQ(receiver.next().status, Status::kCancelled);
    send(out, 5);
    settle();
    EXPECT_EQ(second, kSmall);
    EXPECT_FALSE(receiver.transport.cancel(&two));
}

TEST_P(TransportTest, AMultiReceiveBufferTakesMessagesUntilTooLittleIsLeft) {
    std::string buffer(400, '.');
    ReceiveOptions options;
    options.tagged = false;
    options.multi = true;
    options.multi_minimum = 150;
    SendOptions untagged;
    untagged.tagged = false;
    std::string small(90, 'x'), large(120, 'y');
    sender.transport.send(1, all_of(small), nullptr, untagged);  // before the buffer is there
    settle();
    int context = 0;
    receiver.transport.receive({matching::kAnySource, 0, ~std::uint64_t{0}}, all_of(buffer),
                               &context, options);
    const Completion first = receiver.next();
    EXPECT_EQ(first.buffer, buffer.data());
    EXPECT_FALSE(first.buffer_released);
    sender.transport.send(1, all_of(large), nullptr, untagged);  // 96 + 128: 176 are left
    settle();
    const Completion second = receiver.next();
    EXPECT_EQ(second.buffer, buffer.data() + 96);
    EXPECT_FALSE(second.buffer_released);
    sender.transport.send(1, all_of(small), nullptr, untagged);  // 80 are left: used up
    settle();
    const Completion third = receiver.next();
    EXPECT_EQ(third.buffer, buffer.data() + 224);
    EXPECT_TRUE(third.buffer_released);
    EXPECT_EQ(buffer.substr(0, 90) + buffer.substr(96, 120) + buffer.substr(224, 90),
              small + large + small);
    sender.transport.send(1, all_of(small), nullptr, untagged);  // finds no buffer, and waits
    settle();
    EXPECT_TRUE(receiver.completions.empty());
}

TEST_P(TransportTest, ACancelledMultiReceiveBufferIsReleasedWithItsLastMessage) {
    std::string buffer(400, '.'), large = kLarge, small = kSmall;
    ReceiveOptions options;
    options.tagged = false;
    options.multi = true;
    SendOptions untagged;
    untagged.tagged = false;
    int context = 0;
    receiver.transport.receive({matching::kAnySource, 0, ~std::uint64_t{0}}, all_of(buffer),
                               &context, options);
    sender.transport.send(1, all_of(large), nullptr, untagged);
    receiver.wire.delays_payloads = true;
    settle();
    EXPECT_TRUE(receiver.transport.cancel(&context));
    EXPECT_EQ(receiver.next().status, Status::kCancelled);
    std::swap(receiver.wire.inbox, receiver.wire.delayed);
    settle();
    const Completion last = receiver.next();
    EXPECT_EQ(last.size_bytes, 101U);
    EXPECT_TRUE(last.buffer_released);
    sender.transport.send(1, all_of(small), nullptr, untagged);
    settle();
    EXPECT_TRUE(receiver.completions.empty());
}

TEST_P(TransportTest, NothingIsSentAndReceivedWithoutAddresses) {
    int context = 0;
    void* nowhere = nullptr;
    sender.transport.send(1, Buffer::of(nowhere, 0), &context, {});
    sender.transport.send(1, Buffer{}, &context, {});
    for (int i = 0; i < 2; ++i) {
        receiver.transport.receive({0, 0, 0}, Buffer::of(nowhere, 0), &context, {});
        settle();
        EXPECT_EQ(receiver.next().size_bytes, 0U);
        EXPECT_EQ(sender.next().status, Status::kOk);
    }
    // Segments without bytes between others, and a large message into none at all.
    std::string out = kLarge, in(101, '.');
    iovec into[kMaxSegments] = {};
    into[3] = {in.data(), 50};
    into[7] = {in.data() + 50, 51};
    send(out, 1);
    receiver.transport.receive({0, 1, 0}, Buffer::of(into, kMaxSegments), nullptr, {});
    settle();
    EXPECT_EQ(in, kLarge);
    send(out, 2);
    receiver.transport.receive({0, 2, 0}, Buffer{}, nullptr, {});
    settle();
    receiver.next();
    EXPECT_EQ(receiver.next().missing_bytes, 101U);
}

TEST_P(TransportTest, ATransportThatGoesGivesBackWhatNobodyReceived) {
    std::string out = kSmall, in = kSmall;
    for (const std::uint64_t tag : {1, 2}) send(out, tag);
    {
        Transport transport(receiver.wire, receiver);
        transport.receive({0, 3, 0}, all_of(in), nullptr, {});
        transport.peek({0, 1, 0}, &in, true, true);
        EXPECT_EQ(receiver.wire.held(), 2U);
    }
    EXPECT_EQ(receiver.wire.held(), 0U);
}

TEST_P(TransportTest, RemoteAccessReadsWritesAndCounts) {
    std::string window(64, '.'), out = "written", in(7, '?');
    receiver.transport.expose(9, reinterpret_cast<std::uint64_t>(window.data()), 64);
    sender.transport.write(1, 9, 10, all_of(out), nullptr, false);
    settle();
    EXPECT_EQ(window.substr(10, 7), "written");
    EXPECT_EQ(sender.remote_accesses, 1);
    EXPECT_TRUE(sender.completions.empty());
    sender.transport.read(1, 9, 10, all_of(in), &in, true);
    settle();
    EXPECT_EQ(in, "written");
    EXPECT_EQ(sender.next().operation, Completion::Operation::kRead);
    EXPECT_EQ(sender.remote_accesses, 2);
}

TEST_P(TransportTest, OverheadsAndSearchesAreCharged) {
    std::string out = kSmall, in[3] = {kSmall, kSmall, kSmall};
    for (std::uint64_t tag = 0; tag < 3; ++tag) receive(in[tag], {0, tag, 0});
    EXPECT_EQ(receiver.wire.spent, Duration{0});  // nothing was there to be searched
    send(out, 2);
    EXPECT_EQ(sender.wire.spent, Duration{1'000});
    settle();
    EXPECT_EQ(receiver.wire.spent, Duration{10'000 + 3});
}

TEST_P(TransportTest, SleepsOnlyAfterSeveralEmptyPollsOfOneCall) {
    std::string in = kSmall;
    receive(in, {0, 1, 0});
    for (int i = 0; i < 3; ++i) receiver.transport.note_empty_poll();
    ++receiver.wire.call;
    for (int i = 0; i < 3; ++i) receiver.transport.note_empty_poll();
    EXPECT_EQ(receiver.wire.waits, 0);
    receiver.transport.note_empty_poll();
    EXPECT_EQ(receiver.wire.waits, 1);
}

TEST_P(TransportTest, ACallThatOnlyAsksSleepsIfItPollsWithoutEnd) {
    sender.wire.style = WaitStyle::kPolling;
    for (int i = 0; i < 1000; ++i) {
        ++sender.wire.call;
        for (int poll = 0; poll < 10; ++poll) sender.transport.note_empty_poll();
    }
    EXPECT_EQ(sender.wire.waits, 0);
    for (int poll = 0; poll < 100; ++poll) sender.transport.note_empty_poll();
    EXPECT_EQ(sender.wire.waits, 1);
}

TEST_P(TransportTest, SleepsLateIfItWaitsForNoMessage) {
    for (int i = 0; i < 20; ++i) sender.transport.note_empty_poll();
    EXPECT_EQ(sender.wire.waits, 0);
    for (int i = 0; i < 80; ++i) sender.transport.note_empty_poll();
    EXPECT_EQ(sender.wire.waits, 1);
    ++sender.wire.call;
    sender.wire.style = WaitStyle::kNap;
    for (int i = 0; i < 4; ++i) sender.transport.note_empty_poll();
    EXPECT_EQ(sender.wire.waits, 2);
}

TEST_P(TransportTest, ACallThatPeeksForOneMessageAgainAndAgainSleeps) {
    int context = 0;
    std::string in = kSmall;
    receive(in, {0, 7, 0});
    const auto peek = [&](std::uint64_t tag) {
        receiver.transport.peek({matching::kAnySource, tag, 0}, &context, true, false);
        EXPECT_EQ(receiver.next().status, Status::kNoMessage);
        receiver.transport.note_event();
        receiver.transport.note_empty_poll();
    };
    // It looks for what is left, once in each of its communicators.
    for (std::uint64_t tag = 1; tag < 20; ++tag) peek(tag);
    EXPECT_EQ(receiver.wire.waits, 0);
    peek(19);
    EXPECT_EQ(receiver.wire.waits, 1);
    EXPECT_FALSE(receiver.wire.last_awaited.is_all);
    peek(19);
    ++receiver.wire.call;
    peek(19);
    EXPECT_EQ(receiver.wire.waits, 1);
    receiver.wire.style = WaitStyle::kPolling;
    for (int i = 0; i < 50; ++i) peek(19);
    EXPECT_EQ(receiver.wire.waits, 1);
}

TEST_P(TransportTest, WhatIsStartedBetweenEmptyPollsMakesThemCountAnew) {
    std::string out = kSmall, in = kSmall;
    for (int i = 0; i < 10; ++i) {
        sender.transport.note_empty_poll();
        send(out, 1);
        receiver.transport.note_empty_poll();
        receive(in, {0, 1, 0});
    }
    EXPECT_EQ(sender.wire.waits, 0);
    EXPECT_EQ(receiver.wire.waits, 0);
}

TEST_P(TransportTest, SleepsSoonerUnderAnMpiLibraryThatLooksLessOften) {
    Transport transport(sender.wire, sender, 2);
    sender.wire.style = WaitStyle::kNap;
    transport.note_empty_poll();
    EXPECT_EQ(sender.wire.waits, 0);
    transport.note_empty_poll();
    EXPECT_EQ(sender.wire.waits, 1);
}

TEST_P(TransportTest, OneSmallReceiveFromOneRankMayBeDoneEarly) {
    const auto is_alone = [this] {
        for (int i = 0; i < 100; ++i) receiver.transport.note_empty_poll();
        return receiver.wire.last_awaited.is_all;
    };
    std::string in = kSmall, other = kSmall, large(101, '.');
    EXPECT_FALSE(is_alone());
    receive(in, {0, 7, 1});
    EXPECT_TRUE(is_alone());
    EXPECT_EQ(receiver.wire.last_awaited.source, 0U);
    EXPECT_EQ(receiver.wire.last_awaited.tag, 7U);
    EXPECT_EQ(receiver.wire.last_awaited.ignore, 1U);
    EXPECT_EQ(receiver.wire.times_in_time, 0);
    EXPECT_EQ(receiver.wire.posts_noted, 1);
    receive(other, {0, 8, 0});
    EXPECT_FALSE(is_alone());  // which of the two is needed is not known
    send(in, 7);
    settle();
    EXPECT_TRUE(is_alone());
    receiver.transport.send(0, all_of(large), nullptr, {});
    EXPECT_FALSE(is_alone());  // the end of the send may be what is waited for
    // Neither of these can be done early: they must find what has arrived by now.
    receive(in, {matching::kAnySource, 7, 0});
    receive(large, {0, 9, 0});
    EXPECT_EQ(receiver.wire.times_in_time, 2);
}

TEST_P(TransportTest, TellsOfSeveralReceivesInWhichCallEachWasPosted) {
    const auto calls = [this] {
        for (int i = 0; i < 4; ++i) receiver.transport.note_empty_poll();
        std::vector<std::uint32_t> found;
        for (const WaitingReceive& one : receiver.wire.last_awaited.receives)
            found.push_back(one.call);
        return found;
    };
    std::string first = kSmall, second = kSmall, large(101, '.');
    receive(first, {0, 7, 1});
    EXPECT_EQ(calls(), std::vector<std::uint32_t>{});  // the one that is told of anyhow
    ++receiver.wire.call;
    receive(large, {matching::kAnySource, 8, 0});
    receive(second, {0, 7, 0});
    EXPECT_EQ(calls(), (std::vector<std::uint32_t>{1, 2, 2}));
    const WaitingReceive& oldest = receiver.wire.last_awaited.receives[0];
    EXPECT_EQ(oldest.source, 0U);
    EXPECT_EQ(oldest.tag, 7U);
    EXPECT_EQ(oldest.ignore, 1U);
    EXPECT_EQ(receiver.wire.last_awaited.receives[1].source, matching::kAnySource);
    ReceiveOptions takes_several;
    takes_several.multi = true;
    receiver.transport.receive({0, 9, 0}, all_of(large), nullptr, takes_several);
    EXPECT_EQ(calls(), std::vector<std::uint32_t>{});
}

/// The MPI library goes on with all that it finds, in that order: it must find all.
TEST_P(TransportTest, WhatIsFoundIsFoundInTimeIfMoreMayHaveBeenReceived) {
    std::string in = kSmall;
    receiver.transport.note_event();
    EXPECT_EQ(receiver.wire.times_in_time, 0);
    receive(in, {0, 7, 0});
    EXPECT_EQ(receiver.wire.times_in_time, 0);
    receiver.transport.note_event();
    EXPECT_EQ(receiver.wire.times_in_time, 1);
}

/// Its MPI library will answer it, and what has arrived before it first.
TEST_P(TransportTest, NothingIsReceivedAheadWhileASynchronousMessageWaits) {
    std::string out = kSmall, in = kSmall;
    send(out, 1);
    sender.wire.sends_synchronously = true;
    send(out, 2);
    settle();
    receive(in, {0, 1, 0});
    EXPECT_EQ(receiver.wire.times_in_time, 1);
    receive(in, {0, 2, 0});
    EXPECT_EQ(receiver.wire.times_in_time, 2);
    receive(in, {0, 3, 0});
    EXPECT_EQ(receiver.wire.times_in_time, 2);
}

TEST_P(TransportTest, NothingIsKeptOnceAllIsReceived) {
    std::string out = kLarge, in(101, '.');
    for (int i = 0; i < 10; ++i) {
        send(out, 1);
        receive(in, {0, 1, 0});
        settle();
    }
    EXPECT_EQ(sender.wire.held(), 0U);
    EXPECT_EQ(receiver.wire.held(), 0U);
}

}  // namespace
}  // namespace kumi
