// Ranks as processes, in virtual time, without an MPI library.

#include <gtest/gtest.h>

#include "base/random/random_stream.hpp"
#include "conductor/testing/ranks_under_test.hpp"

namespace kumi::conductor {
namespace {

using namespace literals;

using Durations = std::vector<Duration>;

constexpr Duration kKilobyteTrip = RanksUnderTest::kKilobyteTrip;
/// From rank to rank, of a message of 8 bytes.
constexpr Duration kTrip =
    2 * RanksUnderTest::kLinkLatency + Duration{8 * RanksUnderTest::kPsPerByte};

TEST(VirtualTime, PingPongTakesWhatTheLinksTake) {
    const CompletedRanks ranks(2, [](AllPorts& port) {
        for (int i = 0; i < 100; ++i) {
            if (port.rank() == 0) send_bytes(port, 1, 1024);
            receive_any(port);
            if (port.rank() == 1) send_bytes(port, 0, 1024);
        }
    });
    EXPECT_EQ(ranks.clocks(), (Durations{200 * kKilobyteTrip, 199 * kKilobyteTrip}));
    EXPECT_EQ(ranks.run->state().totals.messages, 200U);
}

TEST(VirtualTime, WaitsUntilTheLauncherWatchesAllProcesses) {
    RanksUnderTest ranks(2);
    ranks.run->await_watch();
    ranks.start([](AllPorts& port) { port.compute(1_us); });
    while (ranks.run->progress().joined < 2) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(ranks.run->progress().phase, Phase::kStarting);
    ranks.run->note_watched();
    EXPECT_TRUE(ranks.end());
    EXPECT_EQ(ranks.clock(0), Instant{} + 1_us);
}

TEST(VirtualTime, CountedWorkMovesTheClockWithoutLosingFractions) {
    // 3 flops in 1000 cycles: 3/7 of 1000 s for a cycle.
    RanksUnderTest ranks(1, {.node_flops = 7, .compute_mode = ComputeMode::kCounted});
    std::uint64_t millicycles = 1000;  // Before the thread is followed: of no account.
    ranks.complete([&millicycles](AllPorts& port) {
        port.follow({&millicycles, 3});
        Instant seen{};
        for (int i = 0; i < 7; ++i) {
            ++millicycles;
            const Instant now = port.look_at_clock();
            if (now == seen) return 1;
            seen = now;
        }
        millicycles += 7;
        InCall(port, "call");
        return 0;
    });
    // 14 thousandths of a cycle, each 3 x 10^6 / 7 ps.
    EXPECT_EQ(ranks.clock(0), Instant{6'000'000});
}

TEST(VirtualTime, ComputeTimeCountsAndOverlapsWithTheWay) {
    const CompletedRanks ranks(2, [](AllPorts& port) {
        if (port.rank() == 0) {
            port.compute(7_us);
            send_bytes(port, 1, 1024);
            return;
        }
        port.compute(8_us);
        receive_any(port);
    });
    EXPECT_EQ(ranks.clocks(), (Durations{7_us, 7_us + kKilobyteTrip}));
}

TEST(VirtualTime, AMessageThatIsThereAlreadyCostsNoWait) {
    const CompletedRanks ranks(2, [](AllPorts& port) {
        if (port.rank() == 0) return send_bytes(port, 1, 1024);
        port.compute(50_us);
        receive_any(port);
    });
    EXPECT_EQ(ranks.clock(1), Instant{} + 50_us);
}

/// How often a rank has been handed the baton.
std::uint64_t handovers(const RanksUnderTest& ranks, std::uint32_t rank) {
    return ranks.run->state().ranks[rank].totals.handovers;
}

/// Ranks poll every 50 ns for messages that arrive at 1.08192 µs: they see them with the first poll
/// after that, and not with the one before. They take turns only from the time on at which a
/// message could be there.
TEST(VirtualTime, APollSeesExactlyWhatHasArrived) {
    const CompletedRanks ranks(3, {.poll_cost = 50_ns}, [](AllPorts& port) {
        send_bytes(port, (port.rank() + 1) % 3, 1024);
        post_receive(port, matching::kAnything);
        while (!poll_once(port)) {
        }
    });
    // The poll at 1.1 µs is the first after the arrival; it ends 50 ns later.
    EXPECT_EQ(ranks.clocks(), Durations(3, 1150_ns));
    EXPECT_LE(handovers(ranks, 2), 5U);
}

/// Loopback is faster than the links.
TEST(VirtualTime, APollSeesAMessageOfTheRankToItself) {
    const CompletedRanks ranks(2, {.poll_cost = 50_ns}, [](AllPorts& port) {
        if (port.rank() == 1) return port.compute(50_us);
        send_bytes(port, 0, 1024);
        post_receive(port, matching::kAnything);
        while (!poll_once(port)) {
        }
    });
    // It arrives after 81.92 ns.
    EXPECT_EQ(ranks.clock(0), Instant{} + 150_ns);
}

/// A rank polls every 50 ns, and writes after each poll how many there were. Another one puts into
/// its memory, at 1.00064 µs, and gets from it at 3.00192 µs, while the rank is in its 61st poll.
TEST(VirtualTime, APollSeesExactlyWhatOthersPut) {
    struct Memory {
        volatile std::uint64_t put = 0;
        volatile std::uint64_t polls = 0;
    };
    const CompletedRanks ranks(2, {.poll_cost = 50_ns}, [](AllPorts& port) {
        Memory memory;
        port.enter(CallClass::kWindow, "open");
        port.expose(1, reinterpret_cast<std::uint64_t>(&memory.put), sizeof memory.put);
        port.expose(2, reinterpret_cast<std::uint64_t>(&memory.polls), sizeof memory.polls);
        port.leave();
        if (port.rank() == 0) {
            put_one(port, 1, 1);
            return get_one(port, 1, 2) == 61 ? 0 : 1;
        }
        while (memory.polls < 100) {
            poll_once(port);
            memory.polls = memory.polls + 1;
            const bool is_there = memory.polls > 21;
            if ((memory.put == 1) != is_there) return 2;
        }
        return 0;
    });
    EXPECT_EQ(ranks.clock(0), Instant{} + 4 * kTrip);
}

/// The polling rank has nothing on its way to it; only a message between two others, on its way
/// when it polls, makes one of them send.
TEST(VirtualTime, APollWaitsForEventsThatMayResumeASender) {
    const CompletedRanks ranks(3, {.poll_cost = 50_ns}, [](AllPorts& port) {
        if (port.rank() == 0) {
            post_receive(port, matching::kAnything);
            while (!poll_once(port)) {
            }
            return;
        }
        if (port.rank() == 1) return send_bytes(port, 2, 1024);
        receive_any(port);
        send_bytes(port, 0, 1024);
    });
    EXPECT_GT(ranks.clock(0), Instant{} + 2 * kKilobyteTrip);
    EXPECT_LE(ranks.clock(0), Instant{} + 2 * kKilobyteTrip + 100_ns);
}

TEST(VirtualTime, ReadingTheClockMakesItGoOn) {
    const CompletedRanks ranks(1, {.clock_cost = 50_ns}, [](AllPorts& port) {
        while (port.read_clock() < Instant{} + 1_us) {
        }
    });
    EXPECT_EQ(ranks.clock(0), Instant{} + 1_us);
    EXPECT_EQ(ranks.run->state().ranks[0].seldom.clock_readings, 20U);
}

TEST(VirtualTime, ReadingsOfTheClockArePartOfComputing) {
    const CompletedRanks ranks(1, {.clock_cost = 50_ns}, [](AllPorts& port) {
        port.compute(2_us);
        port.read_clock();
        port.enter(CallClass::kBlocking, "MPI_Send");
        port.read_clock();  // In a callback: communication.
        port.leave();
        port.read_clock();
    });
    EXPECT_EQ(ranks.run->state().ranks[0].seldom.clock_time, 100_ns);
    EXPECT_EQ(ranks.time_in(0, RankState::kCompute), 2_us + 100_ns);
    EXPECT_EQ(ranks.time_in(0, RankState::kCommunication), 50_ns);
}

TEST(VirtualTime, TheLauncherLearnsRealAndCpuTimeOfBothEnds) {
    const CompletedRanks ranks(2, [](AllPorts& port) { port.compute(2_us); });
    const ConductorState& state = ranks.run->state();
    EXPECT_GT(state.began_ns, 0);
    EXPECT_GT(state.ended_ns, state.began_ns);
    for (const std::uint32_t rank : {0U, 1U}) {
        EXPECT_GT(state.ranks[rank].cpu.joined_ns, 0) << rank;
        EXPECT_GT(state.ranks[rank].cpu.finished_ns, state.ranks[rank].cpu.joined_ns) << rank;
    }
}

TEST(VirtualTime, EveryRankWaitingIsADeadlock) {
    RanksUnderTest ranks(3);
    ranks.fail(VerdictKind::kDeadlock, [](AllPorts& port) {
        if (port.rank() == 2) return;
        receive_any(port);
    });
    EXPECT_EQ(ranks.run->describe_rank(0), "waits in receive");
    EXPECT_EQ(ranks.run->describe_rank(2), "waits for the others in MPI_Finalize");
}

TEST(VirtualTime, TheLimitEndsTheRun) {
    RanksUnderTest ranks(2, {.time_limit = Instant{} + 10_us});
    ranks.fail(VerdictKind::kTimeLimit, [](AllPorts& port) {
        for (;;) {
            send_bytes(port, 1 - port.rank(), 1024);
            receive_any(port);
        }
    });
}

/// Rank 0 computes beyond the limit at once; the others do what they can until then, and rank 2
/// finishes.
TEST(VirtualTime, TheLimitEndsTheRunAtThatTimeForAll) {
    RanksUnderTest ranks(4, {.time_limit = Instant{} + 10_us});
    ranks.fail(VerdictKind::kTimeLimit, [](AllPorts& port) {
        if (port.rank() == 0) port.compute(1'000'000_us);
        if (port.rank() == 1)
            for (int i = 0; i < 100; ++i) {
                send_in_call(port, 3, 8);
                port.compute(1_us);
            }
        if (port.rank() == 2) port.compute(4_us);
        while (port.rank() == 3) receive_any(port);
    });
    ASSERT_TRUE(ranks.run->close_records());
    EXPECT_EQ(ranks.run->virtual_time(), Instant{} + 10_us);
    const ConductorState& state = ranks.run->state();
    for (const std::uint32_t rank : {0U, 1U, 3U}) {
        EXPECT_EQ(ranks.clock(rank), Instant{} + 10_us) << rank;
        const Duration* totals = state.ranks[rank].totals.by_state;
        EXPECT_EQ(totals[0] + totals[1] + totals[2], 10_us) << rank;
    }
    EXPECT_EQ(ranks.clock(2), Instant{} + 4_us);
    // At 0, 1, ... and 10 µs, of which those arrive that were sent until 8 µs.
    EXPECT_EQ(state.totals.messages, 11U);
    EXPECT_EQ(state.ranks[3].totals.messages_received, 9U);
}

TEST(VirtualTime, TheLimitEndsALoopThatDoesNotCallMpi) {
    RanksUnderTest ranks(2, {.clock_cost = 50_ns, .time_limit = Instant{} + 10_us});
    ranks.fail(VerdictKind::kTimeLimit, [](AllPorts& port) {
        while (port.rank() == 0) port.read_clock();
    });
}

TEST(VirtualTime, SleepIsAWait) {
    const CompletedRanks ranks(1, [](AllPorts& port) {
        port.compute(2_us);
        port.sleep(5_us);
        port.compute(1_us);
    });
    EXPECT_EQ(ranks.time_in(0, RankState::kCompute), 3_us);
    EXPECT_EQ(ranks.time_in(0, RankState::kWait), 5_us);
}

/// A callback of the MPI library's may sleep.
TEST(VirtualTime, SleepInACallIsPartOfTheCall) {
    const CompletedRanks ranks(1, [](AllPorts& port) {
        const InCall call(port, "reduce");
        port.sleep(5_us);
    });
    EXPECT_EQ(ranks.time_in(0, RankState::kCommunication), 5_us);
    EXPECT_EQ(ranks.time_in(0, RankState::kWait), Duration{});
}

/// A rank that polls for what never comes does not need the others to reach the limit.
TEST(VirtualTime, TheLimitEndsARankThatPollsAlone) {
    RanksUnderTest ranks(2, {.poll_cost = 50_ns, .time_limit = Instant{} + 10_us});
    ranks.fail(VerdictKind::kTimeLimit, [](AllPorts& port) {
        while (port.rank() == 0) InCall(port, "poll", CallClass::kPolling);
    });
}

/// Clocks would begin anew, in the past.
TEST(VirtualTime, TheEndOfTimeEndsTheRun) {
    RanksUnderTest ranks(2);
    ranks.fail(VerdictKind::kTimeLimit, [](AllPorts& port) {
        constexpr Duration kTenDays{864'000 * 1'000'000'000'000};
        for (int i = 0; i < 10'000 && port.rank() == 0; ++i) port.compute(kTenDays);
    });
}

/// Rank 0 is asked to poll again when all wait, long after its own clock: what it sends then must
/// not enter the network's past.
TEST(VirtualTime, WhatARankDoesWhenAskedAgainItDoesNow) {
    const CompletedRanks ranks(3, [](AllPorts& port) {
        if (port.rank() == 0) {
            const InCall call(port, "progress without an arrival");
            port.wait({});
            for (const std::uint32_t target : {1U, 2U}) send_bytes(port, target, 1024);
            return 0;
        }
        for (int i = 0; i < 10; ++i) {
            send_bytes(port, 3 - port.rank(), 1024);
            receive_any(port);
        }
        return receive_any(port) == 0 ? 0 : 1;
    });
    EXPECT_EQ(ranks.clock(0), Instant{} + 10 * kKilobyteTrip);
    EXPECT_EQ(ranks.clock(1), Instant{} + 11 * kKilobyteTrip);
}

/// A rank that only sends runs ahead of its receiver, but not without limit.
TEST(VirtualTime, ASenderFarAheadLetsItsReceiverCatchUp) {
    constexpr std::uint32_t kMessages = 200'000;
    const CompletedRanks ranks(2, [](AllPorts& port) {
        for (std::uint32_t i = 0; i < kMessages; ++i) {
            if (port.rank() == 1) {
                receive_any(port);
                continue;
            }
            send_in_call(port, 1, 64);
            port.compute(1_us);
        }
    });
    EXPECT_EQ(ranks.clock(0), Instant{} + kMessages * 1_us);
    EXPECT_LT(ranks.run->state().messages.capacity(), 70'000U);
}

/// A rank that looks at its memory in a loop, and calls only what never waits (MPI_Win_sync), sees
/// in the end what another has put there.
TEST(VirtualTime, ARankThatSpinsOnItsMemoryLetsOthersWriteIt) {
    const CompletedRanks ranks(2, {.poll_cost = 50_ns}, [](AllPorts& port) {
        if (port.rank() == 0) {
            volatile std::uint64_t flag = 0;
            port.expose(1, reinterpret_cast<std::uint64_t>(&flag), sizeof flag);
            while (flag == 0) {
                InCall(port, "look", CallClass::kWindow);
                if (port.take_complete() != endpoint::kNone) return 1;
            }
            return 0;
        }
        port.compute(50_us);
        put_one(port, 0, 1);
        return 0;
    });
    EXPECT_GT(ranks.clock(0), Instant{} + 50_us);
    EXPECT_LT(ranks.clock(0), Instant{} + 52_us);
}

/// Each call of rank 0 needs to be asked again, and nothing is sent in between.
TEST(VirtualTime, EveryCallMayNeedToBeAskedAgain) {
    const CompletedRanks ranks(2, [](AllPorts& port) {
        if (port.rank() == 1) return receive_any(port) == 0 ? 0 : 1;
        for (int i = 0; i < 3; ++i) {
            const InCall call(port, "progress without an arrival");
            port.wait({});
        }
        send_bytes(port, 1, 1024);
        return 0;
    });
}

/// Four ranks send at once to a fifth: its down link carries one after the other.
TEST(VirtualTime, IncastIsServedOneAfterTheOther) {
    const CompletedRanks ranks(5, [](AllPorts& port) {
        if (port.rank() != 4) {
            send_bytes(port, 4, 1'000'000);
            return 0;
        }
        for (std::uint32_t expected = 0; expected < 4; ++expected)
            if (receive_any(port) != expected) return 1;
        return 0;
    });
    EXPECT_EQ(ranks.clock(4), Instant{} + 2 * RanksUnderTest::kLinkLatency +
                                  Duration{4 * 1'000'000 * RanksUnderTest::kPsPerByte});
}

/// Random traffic, twice: the same events in the same order.
TEST(VirtualTime, TheSameRunHasTheSameHash) {
    const auto hash_of_a_run = [] {
        const CompletedRanks ranks(16, [](AllPorts& port) {
            RandomStream random = RandomStreams(1, "test").of(port.rank()).stream();
            for (int i = 0; i < 50; ++i) {
                port.compute(Duration{static_cast<std::int64_t>(random.below(1'000'000))});
                const auto distance = static_cast<std::uint32_t>(1 + random.below(15));
                send_bytes(port, (port.rank() + distance) % 16, random.below(5000));
            }
        });
        return ranks.run->state().network->event_hash();
    };
    EXPECT_EQ(hash_of_a_run(), hash_of_a_run());
}

}  // namespace
}  // namespace kumi::conductor
