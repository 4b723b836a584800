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
    run(
        [](RankUnderTest& rank) {
            std::string out = kSmall;
            const Instant before = rank.port.now();
            rank.send(out, SendOptions{.tag = 7, .data = 42, .has_data = true}, &out);
            out.assign(100, '!');
            rank.require(rank.completions.size() == 1);
            const Completion completion = rank.next();
            rank.require(completion.operation == Operation::kSend);
            rank.require(completion.context == &out);
            rank.require(rank.port.now() - before == Duration{1'000});
        },
        [](RankUnderTest& rank) {
            std::string in(120, '.');
            rank.receive(in, {0, 7, 0}, &in);
            const Completion completion = rank.next();
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
    run(
        [](RankUnderTest& rank) {
            std::string out = kSmall;
            rank.send(out, 7, &out);
            rank.require(rank.completions.empty());
            out.assign(100, '!');
            rank.require(rank.next().context == &out);
            rank.require(rank.port.now() > kNotArrived);
            rank.require(rank.port.now() < kLater);  // delivered is not received
        },
        [](RankUnderTest& rank) {
            rank.compute_until(kLater);
            std::string in(100, '.');
            rank.receive(in, {0, 7, 0});
            rank.require(rank.next().size_bytes == 100 && in == kSmall);
        });
}

TEST_P(TransportTest, WhatWantsNoCompletionHasNone) {
    for (const bool when_delivered : {false, true}) {
        configuration.endpoint.sends_complete_delivered = when_delivered;
        run(
            [](RankUnderTest& rank) {
                std::string small = kSmall, large = kLarge, in(1, '.');
                rank.send(small, SendOptions{.wants_completion = false});
                rank.send(large, SendOptions{.wants_completion = false});
                rank.receive(in, {1, 1, 0}, &in);
                rank.require(rank.next().context == &in);
                rank.compute_until(kLater);
                rank.poll();
                rank.require(rank.completions.empty());
            },
            [](RankUnderTest& rank) {
                std::string small = kSmall, large = kLarge, out = "x";
                rank.receive(small, {0, 0, 0}, nullptr, {.wants_completion = false});
                rank.receive(large, {0, 0, 0}, &large);
                rank.require(rank.next().context == &large);
                rank.require(small == kSmall && large == kLarge);
                rank.send(out, 1, &out);
                rank.require(rank.next().context == &out);
            });
    }
}

TEST_P(TransportTest, AboveTheLimitThePayloadWaitsForItsReceive) {
    run(
        [](RankUnderTest& rank) {
            std::string out = kLarge;
            rank.send(out, 7, &out);
            rank.require(rank.completions.empty());
            rank.require(rank.next().context == &out);
            rank.require(rank.port.now() > kLater);
        },
        [](RankUnderTest& rank) {
            rank.compute_until(kLater);
            std::string in(101, '.');
            rank.receive(in, {0, 7, 0});
            rank.require(rank.next().size_bytes == 101 && in == kLarge);
        });
}

TEST_P(TransportTest, AReusableBufferMayChangeAtOnce) {
    run(
        [](RankUnderTest& rank) {
            std::string out = kLarge;
            rank.send(out, SendOptions{.buffer_reusable = true});
            out.assign(101, '!');
            rank.next();
        },
        [](RankUnderTest& rank) {
            std::string in(101, '.');
            rank.receive(in, {0, 0, 0});
            rank.next();
            rank.require(in == kLarge);
        });
}

TEST_P(TransportTest, ScatteredBuffersAreGatheredAndScattered) {
    run(
        [](RankUnderTest& rank) {
            for (const std::size_t scale : {1, 10}) {  // eager, and large
                std::string first(7 * scale, 'a'), second(9 * scale, 'b');
                const iovec from[] = {
                    {first.data(), first.size()}, {nullptr, 0}, {second.data(), second.size()}};
                rank.in_call([&] { rank.transport.send(1, Buffer::of(from, 3), nullptr, {}); });
                rank.next();
            }
        },
        [](RankUnderTest& rank) {
            for (const std::size_t scale : {1, 10}) {
                std::string first(6 * scale, '.'), second(10 * scale, '.');
                iovec into[kMaxSegments] = {};
                into[3] = {first.data(), first.size()};
                into[7] = {second.data(), second.size()};
                rank.in_call([&] {
                    rank.transport.receive({0, 0, 0}, Buffer::of(into, kMaxSegments), nullptr, {});
                });
                rank.next();
                rank.require(first + second ==
                             std::string(7 * scale, 'a') + std::string(9 * scale, 'b'));
            }
        });
}

TEST_P(TransportTest, WhatDoesNotFitIsReportedAndCutOff) {
    run(
        [](RankUnderTest& rank) {
            for (const std::string& message : {kSmall, kLarge}) {
                for (int i = 0; i < 2; ++i) {
                    std::string out = message;
                    rank.send(out, 0);
                    rank.require(rank.next().status == Status::kOk);
                }
            }
        },
        [](RankUnderTest& rank) {
            for (const std::string& message : {kSmall, kLarge}) {
                std::string in(50, '.');
                rank.in_call([&] {
                    rank.transport.receive({0, 0, 0}, Buffer::of(in.data(), 40), nullptr, {});
                });
                const Completion completion = rank.next();
                rank.require(completion.status == Status::kTruncated);
                rank.require(completion.size_bytes == 40);
                rank.require(completion.missing_bytes == message.size() - 40);
                rank.require(in == message.substr(0, 40) + std::string(10, '.'));
                // What fails is reported all the same.
                const ReceiveOptions silent{.wants_completion = false};
                rank.in_call([&] { rank.transport.receive({0, 0, 0}, {}, nullptr, silent); });
                rank.require(rank.next().missing_bytes == message.size());
            }
        });
}

TEST_P(TransportTest, NothingIsSentAndReceivedWithoutAddresses) {
    run(
        [](RankUnderTest& rank) {
            void* nowhere = nullptr;
            rank.in_call([&] {
                rank.transport.send(1, Buffer::of(nowhere, 0), nullptr, {});
                rank.transport.send(1, Buffer{}, nullptr, {});
            });
            rank.require(rank.completions.size() == 2);
        },
        [](RankUnderTest& rank) {
            void* nowhere = nullptr;
            const Buffer buffers[] = {Buffer::of(nowhere, 0), Buffer{}};
            for (const Buffer& buffer : buffers) {
                rank.in_call([&] { rank.transport.receive({0, 0, 0}, buffer, nullptr, {}); });
                const Completion completion = rank.next();
                rank.require(completion.size_bytes + completion.missing_bytes == 0);
                rank.require(completion.status == Status::kOk);
            }
        });
}

}  // namespace
}  // namespace kumi::transport
