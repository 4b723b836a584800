// When a rank goes to sleep.

#include <gtest/gtest.h>

#include "transport/testing/transport_under_test.hpp"

namespace kumi::transport {
namespace {

class WaitingTest : public TransportTest {
   protected:
    /// Something arrives at rank 1 after kLater.
    static void send_late(RankUnderTest& rank) {
        rank.compute_until(kLater);
        std::string out = "x";
        rank.send(out, 7);
    }
    /// Polls in vain; returns whether the rank has slept.
    static bool sleeps(RankUnderTest& rank, int polls) {
        for (int i = 0; i < polls; ++i) rank.transport.note_empty_poll();
        return rank.port.now() > kLater;
    }
    /// Takes the late message.
    static void take(RankUnderTest& rank) {
        std::string in(1, '.');
        rank.completions.clear();
        rank.require(rank.complete_receive(in, {0, 7, 0}).size_bytes == 1);
    }
};

INSTANTIATE_TEST_SUITE_P(Memory, WaitingTest, testing::Bool(), name_of_memory);

TEST_P(WaitingTest, SleepsOnlyAfterSeveralEmptyPollsOfOneCall) {
    run(send_late, [](RankUnderTest& rank) {
        std::string in(1, '.');
        rank.receive(in, {0, 7, 0});
        rank.in_call([&] { rank.require(!sleeps(rank, 3)); });
        rank.in_call([&] {
            rank.require(!sleeps(rank, 3));
            rank.transport.note_event();
            rank.require(!sleeps(rank, 3));
            rank.require(rank.completions.empty());
            rank.transport.note_empty_poll();
            rank.require(rank.completions.size() == 1);
            rank.require(rank.port.now() > kLater);
        });
    });
}

TEST_P(WaitingTest, SleepsAfterAsManyEmptyPollsAsTheMpiLibraryNeeds) {
    const auto sleeps_after = [this](int number, EmptyPolls polls) {
        run(send_late, [=](RankUnderTest& rank) {
            RankUnderTest other(rank.port, polls);
            std::string in(1, '.');
            other.receive(in, {0, 7, 0});
            other.in_call([&] {
                rank.require(!sleeps(other, number - 1));
                rank.require(sleeps(other, 1));
            });
            other.wait_for(1);
        });
    };
    sleeps_after(2, {.of_library = 2});
    sleeps_after(32, {.of_library = 2, .factor = 16});
}

TEST_P(WaitingTest, SleepsLaterOnceItHasStartedSomethingInTheBackground) {
    run(send_late, [](RankUnderTest& rank) {
        RankUnderTest other(rank.port, {2});
        std::string in(1, '.');
        other.in_call(CallClass::kBackground, [&] { other.receive(in, {0, 7, 0}); });
        other.in_call([&] {
            rank.require(!sleeps(other, 7));
            rank.require(sleeps(other, 1));
        });
        other.wait_for(1);
    });
}

TEST_P(WaitingTest, SleepsAtOnceInACallThatDoesNothingElse) {
    static bool does_nothing_else;
    const ShimTable shim{.waits_for_messages = [] { return does_nothing_else; }};
    for (const bool stays_in_time : {false, true}) {
        run(send_late, [&](RankUnderTest& rank) {
            if (stays_in_time) rank.port.watch();
            RankUnderTest other(rank.port, {2}, shim);
            does_nothing_else = true;
            // For no message of its own it waits like any other call.
            other.in_call([&] { rank.require(!sleeps(other, 63)); });
            std::string in(1, '.');
            other.receive(in, {0, 7, 0});
            does_nothing_else = false;
            other.in_call([&] { rank.require(!sleeps(other, 1)); });
            does_nothing_else = true;
            other.in_call([&] { rank.require(sleeps(other, 1) != stays_in_time); });
            other.wait_for(1);
        });
    }
}

TEST_P(WaitingTest, SleepsLateIfItWaitsForNoMessage) {
    run(send_late, [](RankUnderTest& rank) {
        rank.in_call([&] {
            rank.require(!sleeps(rank, 63));
            rank.require(sleeps(rank, 1));
        });
        take(rank);
    });
}

TEST_P(WaitingTest, SleepsOnlyAfterTheStepsThatTheMpiLibraryTakesByItself) {
    static int steps;
    const ShimTable shim{.takes_step = [] { return steps > 0 && steps-- > 0; }};
    run(send_late, [&](RankUnderTest& rank) {
        RankUnderTest other(rank.port, {2}, shim);
        std::string in(1, '.');
        other.receive(in, {0, 7, 0});
        steps = 5;
        // Steps are taken in whichever call polls, but none while polls are still few.
        other.in_call([&] { rank.require(!sleeps(other, 4) && steps == 2); });
        other.in_call([&] {
            rank.require(!sleeps(other, 3) && steps == 0);
            rank.require(sleeps(other, 1));
        });
        other.wait_for(1);
    });
}

TEST_P(WaitingTest, ACallThatOnlyAsksSleepsIfItPollsWithoutEnd) {
    configuration.poll_cost = Duration{1'000};
    for (const CallClass call_class : {CallClass::kPolling, CallClass::kLocal}) {
        run(send_late, [call_class](RankUnderTest& rank) {
            std::string in(1, '.');
            rank.receive(in, {0, 7, 0});
            for (int i = 0; i < 50; ++i)
                rank.in_call(call_class, [&] { rank.require(!sleeps(rank, 10)); });
            rank.in_call(call_class, [&] {
                rank.require(!sleeps(rank, 63));
                rank.require(sleeps(rank, 1));
            });
            rank.wait_for(1);
        });
    }
}

TEST_P(WaitingTest, SleepsSoonerInAWindowCall) {
    run(send_late, [](RankUnderTest& rank) {
        std::string in(1, '.');
        rank.receive(in, {0, 7, 0});
        rank.in_call(CallClass::kWindow, [&] {
            rank.require(!sleeps(rank, 7));
            rank.require(sleeps(rank, 1));
        });
        rank.wait_for(1);
    });
}

TEST_P(WaitingTest, WhatIsStartedBetweenEmptyPollsMakesThemCountAnew) {
    for (const bool sends : {true, false}) {
        rank_0([sends](RankUnderTest& rank) {
            rank.compute_until(kLater);
            std::string text = "x";
            for (int i = 0; i < 10; ++i) {
                if (sends)
                    rank.complete_receive(text, {1, 0, 0});
                else
                    rank.complete_send(text, 0);
            }
            rank.send(text, 7);
        }).rank_1([sends](RankUnderTest& rank) {
            std::string text = "y", late(1, '.');
            rank.receive(late, {0, 7, 0}, &late);
            rank.in_call([&] {
                for (int i = 0; i < 10; ++i) {
                    rank.require(!sleeps(rank, 3));
                    if (sends)
                        rank.transport.send(0, rank.all_of(text), nullptr, {});
                    else
                        rank.transport.receive({0, 0, 0}, rank.all_of(text), nullptr, {});
                }
            });
            rank.wait_for(11);
            rank.require(rank.completions.back().context == &late);
        });
    }
}

TEST_P(WaitingTest, ACallThatPeeksForOneMessageAgainAndAgainSleeps) {
    for (const CallClass call_class : {CallClass::kBlocking, CallClass::kProbe}) {
        run(send_late, [call_class](RankUnderTest& rank) {
            const auto peek = [&](std::uint64_t tag) {
                rank.transport.peek({matching::kAnySource, tag, 0}, nullptr, true, false);
                rank.transport.note_event();
                const Completion seen = rank.completions.back();
                rank.completions.pop_back();
                return seen.status == Status::kOk;
            };
            // It looks for what is left, once in each of its communicators.
            rank.in_call(call_class, [&] {
                for (std::uint64_t tag = 0; tag < 20; ++tag) rank.require(!peek(tag));
            });
            rank.in_call(call_class, [&] {
                rank.require(!peek(7));
                rank.require(rank.port.now() < kLater);
                rank.require(peek(7));  // sleeps, and finds what has arrived
                rank.require(rank.port.now() > kLater);
            });
            take(rank);
        });
    }
}

TEST_P(WaitingTest, ACallThatOnlyAsksPeeksOften) {
    run(send_late, [](RankUnderTest& rank) {
        for (int i = 0; i < 10; ++i)
            rank.require(rank.peek({0, 7, 0}, nullptr, false, CallClass::kPolling).status ==
                         Status::kNoMessage);
        rank.in_call(CallClass::kPolling, [&] {
            for (int i = 0; i < 63; ++i) rank.transport.peek({0, 7, 0}, nullptr, true, false);
            rank.require(rank.completions.back().status == Status::kNoMessage);
            rank.transport.peek({0, 7, 0}, nullptr, true, false);
            rank.require(rank.completions.back().status == Status::kOk);
        });
        take(rank);
    });
}

/// There is one request, and it is none of the program's: anything ends the wait.
TEST_P(WaitingTest, WhatTheProgramDoesNotKnowIsWaitedForAsAnythingElse) {
    rank_0([](RankUnderTest& rank) {
        std::string out(101, 'x');
        rank.complete_send(out, SendOptions{.tagged = false});
        rank.require(rank.port.now() > kLater);
        rank.compute_until(kLast);
        std::string late = "x";
        rank.send(late, 7);
    }).rank_1([](RankUnderTest& rank) {
        rank.compute_until(kLater);
        std::string in(101, '.'), late(1, '.');
        const ReceiveOptions untagged{.tagged = false}, silent{.wants_completion = false};
        rank.complete_receive(in, matching::kAnything, nullptr, untagged);
        rank.require(in == std::string(101, 'x'));
        rank.receive(late, {0, 7, 0}, nullptr, silent);
        rank.in_call([&] {
            for (int i = 0; late != "x" && i < 1'000; ++i) {
                rank.transport.progress();
                rank.transport.note_empty_poll();
            }
        });
        rank.require(late == "x" && rank.completions.empty());
    });
}

}  // namespace
}  // namespace kumi::transport
