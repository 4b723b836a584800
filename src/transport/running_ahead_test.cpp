// When a process need not wait for its clock, and what becomes of its buffers then.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "conductor/testing/child_process.hpp"
#include "transport/testing/transport_under_test.hpp"

namespace kumi::transport {
namespace {

/// Which message a receive gets is known when that is sent: how rank 1 waits for it before it has
/// arrived.
class RunningAheadTest : public TransportTest {
   protected:
    /// Whether the process is ahead of its clock.
    static bool is_ahead(RankUnderTest& rank) {
        const Instant known = rank.port.peek();
        return known < rank.port.now();
    }
    template <class Body>
    void run_sent(CallClass call_class, Body&& body) {
        rank_0([call_class](RankUnderTest& rank) {
            std::string out = "x";
            for (const std::uint64_t tag : {1, 2}) {
                rank.in_call(call_class, [&] {
                    rank.transport.send(1, rank.all_of(out), nullptr, {.tag = tag});
                });
            }
        }).rank_1([&](RankUnderTest& rank) {
            rank.port.compute(Duration{kNotArrived.ps / 2});
            rank.port.now();
            RankUnderTest informed(rank.port, EmptyPolls{}, {.needed_messages = list_needed});
            body(informed);
        });
    }
    std::string in[2] = {std::string(1, '.'), std::string(1, '.')};
};

INSTANTIATE_TEST_SUITE_P(Memory, RunningAheadTest, testing::Bool(), name_of_memory);

TEST_P(RunningAheadTest, AReceiveFromOneSourceNeedNotWaitForTheClock) {
    run_sent(CallClass::kBlocking, [&](RankUnderTest& rank) {
        rank.complete_receive(in[0], {0, 1, 0});
        rank.require(in[0] == "x" && is_ahead(rank));
        rank.receive(in[1], {matching::kAnySource, 2, 0});
        rank.port.now();
        rank.next();
        rank.require(!is_ahead(rank));  // another could have been first
    });
}

TEST_P(RunningAheadTest, OfSeveralReceivesItMustBeKnownWhichAreNeeded) {
    for (const bool is_known : {true, false}) {
        run_sent(CallClass::kBlocking, [&](RankUnderTest& rank) {
            for (std::uint64_t i = 0; i < 2; ++i) {
                rank.receive(in[i], {0, i + 1, 0});
                if (is_known) needed_calls.push_back(rank.port.call_count());
            }
            rank.wait_for(1);
            rank.require(is_ahead(rank) == is_known);
            rank.wait_for(2);
            rank.require(in[0] + in[1] == "xx");
        });
    }
}

/// A program may wait for more requests than are under way: for messages with MPI_PROC_NULL, say.
TEST_P(RunningAheadTest, CallsThatAreOverHideNoOthers) {
    run_sent(CallClass::kBlocking, [&](RankUnderTest& rank) {
        for (std::uint32_t over = 100; over < 110; ++over) needed_calls.push_back(over);
        for (std::uint64_t i = 0; i < 2; ++i) {
            rank.receive(in[i], {0, i + 1, 0});
            needed_calls.push_back(rank.port.call_count());
        }
        rank.wait_for(1);
        rank.require(is_ahead(rank));
        rank.wait_for(2);
        rank.require(in[0] + in[1] == "xx");
    });
}

TEST_P(RunningAheadTest, AMessageThatWantsAnAnswerMayBeTheOnlyOne) {
    run_sent(CallClass::kSynchronous, [&](RankUnderTest& rank) {
        for (std::uint64_t i = 0; i < 2; ++i) {
            rank.complete_receive(in[i], {0, i + 1, 0});
            rank.require(is_ahead(rank));
        }
    });
}

TEST_P(RunningAheadTest, OfSeveralMessagesThoseThatWantAnAnswerArriveFirst) {
    run_sent(CallClass::kSynchronous, [&](RankUnderTest& rank) {
        for (std::uint64_t i = 0; i < 2; ++i) {
            rank.receive(in[i], {0, i + 1, 0});
            needed_calls.push_back(rank.port.call_count());
        }
        rank.wait_for(1);
        rank.require(!is_ahead(rank));
        rank.wait_for(2);
    });
}

/// Each wait looks at the requests of the calls that it needs, and at no others.
TEST_P(RunningAheadTest, WaitsForOneOfManyInAFewSteps) {
    constexpr std::uint32_t kMany = 2'000;
    for (const bool is_backward : {false, true}) {
        rank_0([is_backward](RankUnderTest& rank) {
            std::string out = "x";
            for (std::uint64_t i = 0; i < kMany; ++i) {
                rank.port.compute(Duration{kLater.ps});  // so that each has a wait of its own
                rank.send(out, is_backward ? kMany - 1 - i : i);
            }
        }).rank_1([&](RankUnderTest& rank) {
            RankUnderTest informed(rank.port, EmptyPolls{}, {.needed_messages = list_needed});
            std::string received(kMany, '.');
            std::vector<std::uint32_t> calls;
            for (std::uint64_t tag = 0; tag < kMany; ++tag) {
                informed.receive(Buffer::of(&received[tag], 1), {0, tag, 0});
                calls.push_back(rank.port.call_count());
            }
            if (is_backward) std::ranges::reverse(calls);
            for (std::size_t i = 0; i < kMany; ++i) {
                needed_calls = {calls[i]};
                informed.wait_for(i + 1);
            }
            rank.require(received == std::string(kMany, 'x'));
            rank.require(informed.transport.outstanding().steps() >= kMany - 1);
            rank.require(informed.transport.outstanding().steps() < 20 * kMany);
        });
    }
}

/// Whether receives are cancelled in the order in which they were posted or not.
TEST_P(RunningAheadTest, CancelsOneOfManyInAFewSteps) {
    constexpr std::uint32_t kMany = 2'000;
    for (const bool is_backward : {false, true}) {
        rank_0([](RankUnderTest&) {}).rank_1([is_backward](RankUnderTest& rank) {
            std::string received(kMany, '.');
            for (char& byte : received) rank.receive(Buffer::of(&byte, 1), {0, 1, 0}, &byte);
            for (std::size_t i = 0; i < kMany; ++i) {
                char* byte = &received[is_backward ? kMany - 1 - i : i];
                rank.require(rank.cancel(byte));
                rank.require(rank.next().context == byte);
            }
            rank.require(rank.transport.outstanding().steps() < 20 * kMany);
        });
    }
}

/// It has its completion when its receive is not even posted: a copy of the payload is kept.
TEST_P(RunningAheadTest, ASenderThatRunsAheadMayChangeItsBuffer) {
    rank_0([](RankUnderTest& rank) {
        std::string out(conductor::kMostStashed, 'a');
        rank.require(rank.complete_send(out, 7).operation == Operation::kSend);
        rank.require(rank.port.peek() < kNotArrived);
        std::ranges::fill(out, 'b');
        rank.complete_send(out, 7);
        std::ranges::fill(out, 'c');
        rank.require(rank.port.now() > kLater);
    }).rank_1([](RankUnderTest& rank) {
        rank.compute_until(kLater);
        std::string in(conductor::kMostStashed, '.');
        for (const char right : {'a', 'b'}) {
            rank.complete_receive(in, {0, 7, 0});
            rank.require(in == std::string(conductor::kMostStashed, right));
        }
    });
}

/// With a larger payload in reach, its sender goes on when the receiver has read it.
TEST_P(RunningAheadTest, ALargerPayloadIsNotCopiedOnlyToRunAhead) {
    const auto common = conductor::make_common<std::atomic<bool>>();
    std::atomic<bool>& is_received = *common;
    for (const std::uint64_t size : {conductor::kMostStashed, conductor::kMostStashed + 1}) {
        is_received = false;
        rank_0([&](RankUnderTest& rank) {
            std::string out(size, 'a');
            rank.complete_send(out, 7);
            const bool waits = rank.port.can_reach_memory() && size > conductor::kMostStashed;
            rank.require(is_received == waits);
            std::ranges::fill(out, 'b');
        }).rank_1([&](RankUnderTest& rank) {
            rank.compute_until(kLater);
            std::string received(size, '.');
            rank.complete_receive(received, {0, 7, 0});
            is_received = true;
            rank.require(received == std::string(size, 'a'));
        });
    }
}

TEST_P(RunningAheadTest, AScatteredPayloadIsReadByWhoIsFirst) {
    rank_0([](RankUnderTest& rank) {
        std::string first(70, 'a'), between(50, '!'), second(80, 'b');
        const iovec from[] = {{first.data(), 70}, {second.data(), 80}};
        rank.send(Buffer::of(from, 2));
        rank.port.compute(Duration{kLater.ps});
        rank.poll();  // the receiver has got it
        rank.next();
    }).rank_1([](RankUnderTest& rank) {
        std::string received(150, '.');
        rank.complete_receive(received, {0, 0, 0});
        rank.require(received == std::string(70, 'a') + std::string(80, 'b'));
    });
}

}  // namespace
}  // namespace kumi::transport
