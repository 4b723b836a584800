// What a process sends and receives: payloads, and what completions say.

#include <gtest/gtest.h>

#include "transport/testing/transport_under_test.hpp"

namespace kumi::transport {
namespace {

const std::string kSmall(100, 's');  // just eager
const std::string kLarge(101, 'L');  // just not

INSTANTIATE_TEST_SUITE_P(Memory, TransportTest, testing::Bool(), name_of_memory);

TEST_P(TransportTest, UpToTheLimitASendIsCompleteAtOnce) {
    configuration.endpoint.send_overhead = Duration{1'000};
    rank_0([](RankUnderTest& rank) {
        std::string out = kSmall;
        const Instant before = rank.port.now();
        rank.send(out, SendOptions{.tag = 7, .data = 42, .has_data = true}, &out);
        out.assign(100, '!');
        rank.require(rank.completions.size() == 1);
        const Completion completion = rank.next();
        rank.require(completion.operation == Operation::kSend);
        rank.require(completion.context == &out);
        rank.require(rank.port.now() - before == Duration{1'000});
    }).rank_1([](RankUnderTest& rank) {
        std::string in(120, '.');
        const Completion completion = rank.complete_receive(in, {0, 7, 0}, &in);
        rank.require(in == kSmall + std::string(20, '.'));
        rank.require(completion.operation == Operation::kReceive);
        rank.require(completion.status == Status::kOk);
        rank.require(completion.context == &in);
        rank.require(completion.size_bytes == 100 && completion.missing_bytes == 0);
        rank.require(completion.tag == 7 && completion.source == 0 && completion.tagged);
        rank.require(completion.has_data && completion.data == 42);
        rank.require(!completion.buffer_released && completion.buffer == nullptr);
    });
}

TEST_P(TransportTest, ASendMayBeCompleteOnlyWhenDelivered) {
    configuration.endpoint.sends_complete_delivered = true;
    rank_0([](RankUnderTest& rank) {
        std::string out = kSmall;
        rank.send(out, 7, &out);
        rank.require(rank.completions.empty());
        out.assign(100, '!');
        rank.require(rank.next().context == &out);
        rank.require(rank.port.now() > kNotArrived);
        rank.require(rank.port.now() < kLater);  // delivered is not received
    }).rank_1([](RankUnderTest& rank) {
        rank.compute_until(kLater);
        std::string in(100, '.');
        rank.require(rank.complete_receive(in, {0, 7, 0}).size_bytes == 100 && in == kSmall);
    });
}

TEST_P(TransportTest, WhatWantsNoCompletionHasNone) {
    for (const bool when_delivered : {false, true}) {
        configuration.endpoint.sends_complete_delivered = when_delivered;
        rank_0([](RankUnderTest& rank) {
            std::string small = kSmall, large = kLarge, in(1, '.');
            rank.send(small, SendOptions{.wants_completion = false});
            rank.send(large, SendOptions{.wants_completion = false});
            rank.require(rank.complete_receive(in, {1, 1, 0}, &in).context == &in);
            rank.compute_until(kLater);
            rank.poll();
            rank.require(rank.completions.empty());
        }).rank_1([](RankUnderTest& rank) {
            std::string small = kSmall, large = kLarge, out = "x";
            rank.receive(small, {0, 0, 0}, nullptr, {.wants_completion = false});
            rank.require(rank.complete_receive(large, {0, 0, 0}, &large).context == &large);
            rank.require(small == kSmall && large == kLarge);
            rank.require(rank.complete_send(out, 1, &out).context == &out);
        });
    }
}

TEST_P(TransportTest, AboveTheLimitThePayloadWaitsForItsReceive) {
    rank_0([](RankUnderTest& rank) {
        std::string out = kLarge;
        rank.send(out, 7, &out);
        rank.require(rank.completions.empty());
        rank.require(rank.next().context == &out);
        rank.require(rank.port.now() > kLater);
    }).rank_1([](RankUnderTest& rank) {
        rank.compute_until(kLater);
        std::string in(101, '.');
        rank.require(rank.complete_receive(in, {0, 7, 0}).size_bytes == 101 && in == kLarge);
    });
}

TEST_P(TransportTest, AReusableBufferMayChangeAtOnce) {
    rank_0([](RankUnderTest& rank) {
        std::string out = kLarge;
        rank.send(out, SendOptions{.buffer_reusable = true});
        out.assign(101, '!');
        rank.next();
    }).rank_1([](RankUnderTest& rank) {
        std::string in(101, '.');
        rank.complete_receive(in, {0, 0, 0});
        rank.require(in == kLarge);
    });
}

TEST_P(TransportTest, ScatteredBuffersAreGatheredAndScattered) {
    rank_0([](RankUnderTest& rank) {
        for (const std::size_t scale : {1, 10}) {  // eager, and large
            std::string first(7 * scale, 'a'), second(9 * scale, 'b');
            const iovec from[] = {
                {first.data(), first.size()}, {nullptr, 0}, {second.data(), second.size()}};
            rank.complete_send(Buffer::of(from, 3));
        }
    }).rank_1([](RankUnderTest& rank) {
        for (const std::size_t scale : {1, 10}) {
            std::string first(6 * scale, '.'), second(10 * scale, '.');
            iovec into[kMaxSegments] = {};
            into[3] = {first.data(), first.size()};
            into[7] = {second.data(), second.size()};
            rank.complete_receive(Buffer::of(into, kMaxSegments), {0, 0, 0});
            rank.require(first + second ==
                         std::string(7 * scale, 'a') + std::string(9 * scale, 'b'));
        }
    });
}

TEST_P(TransportTest, WhatDoesNotFitIsReportedAndCutOff) {
    rank_0([](RankUnderTest& rank) {
        for (const std::string& message : {kSmall, kLarge}) {
            for (int i = 0; i < 2; ++i) {
                std::string out = message;
                rank.require(rank.complete_send(out, 0).status == Status::kOk);
            }
        }
    }).rank_1([](RankUnderTest& rank) {
        for (const std::string& message : {kSmall, kLarge}) {
            std::string in(50, '.');
            const Completion completion =
                rank.complete_receive(Buffer::of(in.data(), 40), {0, 0, 0});
            rank.require(completion.status == Status::kTruncated);
            rank.require(completion.size_bytes == 40);
            rank.require(completion.missing_bytes == message.size() - 40);
            rank.require(in == message.substr(0, 40) + std::string(10, '.'));
            // What fails is reported all the same.
            const ReceiveOptions silent{.wants_completion = false};
            const Completion none = rank.complete_receive(Buffer{}, {0, 0, 0}, nullptr, silent);
            rank.require(none.missing_bytes == message.size());
        }
    });
}

TEST_P(TransportTest, NothingIsSentAndReceivedWithoutAddresses) {
    rank_0([](RankUnderTest& rank) {
        void* nowhere = nullptr;
        rank.in_call([&] {
            rank.transport.send(1, Buffer::of(nowhere, 0), nullptr, {});
            rank.transport.send(1, Buffer{}, nullptr, {});
        });
        rank.require(rank.completions.size() == 2);
    }).rank_1([](RankUnderTest& rank) {
        void* nowhere = nullptr;
        const Buffer buffers[] = {Buffer::of(nowhere, 0), Buffer{}};
        for (const Buffer& buffer : buffers) {
            const Completion completion = rank.complete_receive(buffer, {0, 0, 0});
            rank.require(completion.size_bytes + completion.missing_bytes == 0);
            rank.require(completion.status == Status::kOk);
        }
    });
}

}  // namespace
}  // namespace kumi::transport
