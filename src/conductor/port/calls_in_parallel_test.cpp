// MPI libraries of ranks that are ahead work in parallel.

#include <gtest/gtest.h>

#include <atomic>

#include "conductor/testing/calls_of_ranks.hpp"
#include "conductor/testing/child_process.hpp"
#include "conductor/testing/ranks_under_test.hpp"

namespace kumi::conductor {
namespace {

/// What processes tell each other in real time.
struct Told {
    std::atomic<bool> is_inside, has_called;
};

/// Rank 0 is ahead, since its message has not arrived yet, and in a call that does not end before
/// rank 1 has been in one.
TEST(CallsInParallel, AProcessThatIsAheadHasTheBatonOnlyWhereItNeedsIt) {
    const auto told = make_common<Told>();
    RanksUnderTest ranks(2);
    ranks.use_cores(2);
    ranks.complete([&](AllPorts& port) {
        if (port.rank() == 1) {
            send_in_call(port, 0, 8);
            while (!told->is_inside) continue;
            InCall(port, "call");
            told->has_called = true;
            return;
        }
        {
            const InCall call(port, "receive");
            wait_for(port, post_receive(port, {1, 0, 0}));
        }
        port.enter(CallClass::kBlocking, "call");
        told->is_inside = true;
        while (!told->has_called) continue;
        port.leave();
    });
}

/// 0 if a process is away between its calls, and in one of that class as said.
int find_away(RanksUnderTest& ranks, AllPorts& port, CallClass call_class, bool is_away_inside) {
    const TurnData& turn = ranks.run->state().ranks[port.rank()].turn;
    if (!turn.is_away) return 1;
    port.enter(call_class, "call");
    if (turn.is_away != is_away_inside) return 2;
    port.leave();
    return turn.is_away ? 0 : 3;
}

/// Each is in step when its first call begins.
TEST(CallsInParallel, AProcessInStepGoesAheadInItsNextCall) {
    RanksUnderTest ranks(2);
    ranks.use_cores(2);
    ranks.complete([&](AllPorts& port) {
        return find_away(ranks, port, CallClass::kBlocking, /*is_away_inside=*/true);
    });
}

/// Between what it asks for in one call, nothing must happen that it could find.
TEST(CallsInParallel, AProcessThatStaysInStepKeepsTheBaton) {
    RanksUnderTest ranks(2);
    ranks.use_cores(2);
    ranks.complete([&](AllPorts& port) {
        const int polling = find_away(ranks, port, CallClass::kPolling, /*is_away_inside=*/false);
        if (polling != 0) return polling;
        port.ClockPort::keep_in_time();
        const int found = find_away(ranks, port, CallClass::kBlocking, /*is_away_inside=*/false);
        return found == 0 ? 0 : 10 + found;
    });
}

}  // namespace
}  // namespace kumi::conductor
