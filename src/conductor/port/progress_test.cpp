// Ranks go on in parallel with others that compute, as soon as these have computed far enough.

#include "conductor/ranks/progress.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/one_thread.hpp"
#include "conductor/testing/child_process.hpp"
#include "conductor/testing/ranks_under_test.hpp"

namespace kumi::conductor {
namespace {

using namespace literals;

/// What processes tell each other in real time.
using HasPolled = std::atomic<bool>;

std::uint64_t counter = 0;

RunConfiguration two_cores(ComputeMode mode) {
    return {.poll_cost = 50_ns,
            .node_flops = 1'000'000'000,  // A millicycle is a nanosecond.
            .long_compute_ns = -1,
            .compute_mode = mode};
}

constexpr WorkCounter kCounter{&counter, 1'000'000};

/// The rank, which has done nothing yet, polls at that time and says so.
void poll_at(AllPorts& port, Duration time, HasPolled& has_polled) {
    port.compute(time);
    const InCall call(port, "poll", CallClass::kPolling);
    port.look_repeatably();
    has_polled = true;
}

/// Rank 0 computes until rank 1 has polled, which it does 10 µs after the start. `is_alone`: its
/// process has no second thread.
void expect_to_poll_beside(ComputeMode mode, bool is_alone = true) {
    const auto has_polled = make_common<HasPolled>();
    RanksUnderTest ranks(2, two_cores(mode));
    ranks.use_cores(2);
    ranks.complete([&has_polled, mode, is_alone](AllPorts& port) {
        if (mode == ComputeMode::kCounted) port.follow(kCounter);
        if (port.rank() == 0) {
            if (!is_alone) {
                std::thread([] { ::pause(); }).detach();
                port.note_threads();
            }
            InCall(port, "call");
            while (!*has_polled) counter += 1;
            return;
        }
        poll_at(port, 10_us, *has_polled);
    });
    EXPECT_GE(ranks.clock(0), Instant{} + 10_us);
    if (mode == ComputeMode::kCounted)
        EXPECT_EQ(ranks.clock(1), Instant{} + 10_us + 50_ns);
    else
        EXPECT_GE(ranks.clock(1), Instant{} + 10_us + 50_ns);
}

TEST(ComputeProgress, APollNeedNotWaitForWhoHasCountedFarther) {
    expect_to_poll_beside(ComputeMode::kCounted);
}

TEST(ComputeProgress, APollNeedNotWaitForWhoIsMeasuredToBeFarther) {
    expect_to_poll_beside(ComputeMode::kMeasured);
}

TEST(ComputeProgress, APollNeedNotWaitForAThreadThatIsMeasuredToBeFarther) {
    expect_to_poll_beside(ComputeMode::kMeasured, /*is_alone=*/false);
}

/// A message that is sent after others have seen how far its sender is comes when it would have.
TEST(ComputeProgress, WhatIsSentAfterwardsArrivesWhereItBelongs) {
    const auto has_polled = make_common<HasPolled>();
    RanksUnderTest ranks(2, two_cores(ComputeMode::kCounted));
    ranks.use_cores(2);
    ranks.complete([&has_polled](AllPorts& port) {
        port.follow(kCounter);
        if (port.rank() == 0) {
            counter += 20'000;
            InCall(port, "call");
            while (!*has_polled) counter += 1;
            counter += 80'000'000 - counter;
            return send_in_call(port, 1, 1024);
        }
        poll_at(port, 30_us, *has_polled);
        receive_any(port);
    });
    EXPECT_EQ(ranks.clock(0), Instant{} + 80_ms);
    EXPECT_EQ(ranks.clock(1), Instant{} + 80_ms + RanksUnderTest::kKilobyteTrip);
}

/// Rank 0 computes until 20 ms, rank 1 puts into its memory soon after the start. Rank 2, which
/// polls before that, goes on in parallel, but the put is not seen before rank 0 calls.
TEST(ComputeProgress, AProgramThatComputesSeesNothingChange) {
    const auto has_polled = make_common<HasPolled>();
    RanksUnderTest ranks(3, two_cores(ComputeMode::kCounted));
    ranks.use_cores(2);
    ranks.complete([&has_polled](AllPorts& port) {
        port.follow(kCounter);
        if (port.rank() == 2) {
            poll_at(port, 2_us, *has_polled);
            return 0;
        }
        volatile std::uint64_t flag = 0;
        port.enter(CallClass::kWindow, "open");
        port.expose(1, reinterpret_cast<std::uint64_t>(&flag), sizeof flag);
        port.leave();
        if (port.rank() == 1) {
            port.compute(1_us);
            put_one(port, 0, 1);
            return 0;
        }
        while (!*has_polled) counter = counter + 1;
        counter = 20'000'000;
        // Long enough for others to find that, and for the put to arrive.
        ::usleep(50'000);
        if (flag != 0) return 1;
        const InCall call(port, "look", CallClass::kWindow);
        port.look_repeatably();
        return flag == 1 ? 0 : 2;
    });
    EXPECT_EQ(ranks.clock(0), Instant{} + 20_ms);
}

TEST(ComputeProgress, AProcessKnowsWhetherItHasThreads) {
    EXPECT_TRUE(has_one_thread());
    std::atomic<bool> may_end{false};
    std::thread other([&may_end] {
        while (!may_end) std::this_thread::yield();
    });
    EXPECT_FALSE(has_one_thread());
    may_end = true;
    other.join();
}

}  // namespace
}  // namespace kumi::conductor
