// Ranks that go on with messages on their way have the times of ranks that wait for them.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <ostream>
#include <vector>

#include "conductor/ranks_under_test.hpp"
#include "transport/transport.hpp"
#include "wire/sim_wire.hpp"

namespace kumi {
namespace {

/// What ranks do, in an order in which it can be done: none waits for what comes later.
struct Deed {
    enum class Kind { kMessage, kExchange, kCompute, kReadClock, kTest };
    Kind kind = Kind::kCompute;
    std::uint32_t rank = 0;  ///< The source of a message.
    std::uint32_t peer = 0;
    std::uint64_t size_bytes = 0;
    std::uint64_t tag = 0;
    bool is_from_anybody = false;
};
using Deeds = std::vector<Deed>;

std::ostream& operator<<(std::ostream& out, const Deed& deed) {
    constexpr const char* kNames[] = {"message", "exchange", "compute", "read clock", "test"};
    return out << kNames[static_cast<int>(deed.kind)] << ' ' << deed.rank << " -> " << deed.peer
               << ", " << deed.size_bytes << " bytes, tag " << deed.tag
               << (deed.is_from_anybody ? ", from anybody" : "");
}

constexpr std::uint32_t kRanks = 4;

/// A rank's MPI library, as far as it is needed: blocking calls.
class Caller final : public CompletionSink {
   public:
    explicit Caller(RankPort& port) : x_port(port), x_wire(port), x_transport(x_wire, *this, 2) {}

    void complete(const Completion& completion) override {
        if (completion.operation == Completion::Operation::kReceive) ++x_received;
    }
    void count_remote_access(Completion::Operation) override {}

    void send(std::uint32_t target, std::uint64_t size_bytes, std::uint64_t tag) {
        x_port.enter(CallClass::kBlocking, "send");
        start_send(target, size_bytes, tag);
        x_port.leave();
    }
    void receive(std::uint32_t source, std::uint64_t size_bytes, std::uint64_t tag) {
        x_port.enter(CallClass::kBlocking, "receive");
        post(source, size_bytes, tag);
        wait_for_all();
        x_port.leave();
    }
    void exchange(std::uint32_t peer, std::uint64_t size_bytes, std::uint64_t tag) {
        x_port.enter(CallClass::kBlocking, "exchange");
        post(peer, size_bytes, tag);
        start_send(peer, size_bytes, tag);
        wait_for_all();
        x_port.leave();
    }
    void test() {
        x_port.enter(CallClass::kPolling, "test");
        x_transport.progress();
        x_port.leave();
    }

   private:
    void start_send(std::uint32_t target, std::uint64_t size_bytes, std::uint64_t tag) {
        SendOptions options;
        options.tag = tag;
        options.wants_completion = false;
        x_transport.send(target, Buffer::of(x_memory, size_bytes), nullptr, options);
    }
    void post(std::uint32_t source, std::uint64_t size_bytes, std::uint64_t tag) {
        ++x_posted;
        x_transport.receive({source, tag, 0}, Buffer::of(x_memory, size_bytes), nullptr, {});
    }
    void wait_for_all() {
        for (;;) {
            x_transport.progress();
            if (x_received == x_posted) return x_transport.note_event();
            x_transport.note_empty_poll();
        }
    }

    RankPort& x_port;
    SimWire x_wire;
    Transport x_transport;
    int x_posted = 0, x_received = 0;
    char x_memory[4096] = {};
};

void do_part(const Deed& deed, RankPort& port, Caller& caller) {
    const bool is_source = deed.rank == port.rank();
    if (!is_source && deed.peer != port.rank()) return;
    switch (deed.kind) {
        case Deed::Kind::kMessage:
            if (is_source)
                caller.send(deed.peer, deed.size_bytes, deed.tag);
            else
                caller.receive(deed.is_from_anybody ? kAnySource : deed.rank, deed.size_bytes,
                               deed.tag);
            break;
        case Deed::Kind::kExchange:
            caller.exchange(is_source ? deed.peer : deed.rank, deed.size_bytes, deed.tag);
            break;
        case Deed::Kind::kCompute:
            if (is_source) port.compute(Duration{static_cast<std::int64_t>(deed.size_bytes) * 500});
            break;
        case Deed::Kind::kReadClock:
            if (is_source) port.read_clock();
            break;
        case Deed::Kind::kTest:
            if (is_source) caller.test();
            break;
    }
}

/// All that a run says of itself.
struct Facts {
    std::uint64_t event_hash = 0;
    std::vector<std::int64_t> times_ps;
    std::uint64_t handovers = 0;
};

Facts run(const Deeds& deeds, RunConfiguration configuration, bool receives_early) {
    configuration.receives_early = receives_early;
    RanksUnderTest ranks(kRanks, configuration);
    ranks.start([&deeds](RankPort& port) {
        Caller caller(port);
        for (const Deed& deed : deeds) do_part(deed, port, caller);
        return 0;
    });
    EXPECT_TRUE(ranks.end());
    const ConductorState& state = ranks.run->state();
    Facts facts;
    facts.event_hash = state.network->event_hash();
    facts.handovers = state.handovers.load();
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
        facts.times_ps.push_back(ranks.clock(rank).ps);
        for (const Duration total : state.ranks[rank].state_total)
            facts.times_ps.push_back(total.ps);
    }
    return facts;
}

rc::Gen<Deed> any_deed() {
    using Kind = Deed::Kind;
    return rc::gen::apply(
        [](Kind kind, std::uint32_t rank, std::uint32_t other, std::uint64_t size_bytes,
           std::uint64_t tag, int anybody) {
            return Deed{kind, rank, (rank + other) % kRanks, size_bytes, tag, anybody == 0};
        },
        rc::gen::weightedElement<Kind>({{6, Kind::kMessage},
                                        {6, Kind::kExchange},
                                        {3, Kind::kCompute},
                                        {1, Kind::kReadClock},
                                        {1, Kind::kTest}}),
        rc::gen::inRange<std::uint32_t>(0, kRanks), rc::gen::inRange<std::uint32_t>(1, kRanks),
        rc::gen::inRange<std::uint64_t>(1, 4096), rc::gen::inRange<std::uint64_t>(0, 2),
        rc::gen::inRange(0, 12));
}

RC_GTEST_PROP(EarlyReceive, EverythingHappensWhenItWouldHave, ()) {
    auto deeds = *rc::gen::resize(60, rc::gen::container<Deeds>(any_deed())).as("what ranks do");
    // Who receives from anybody must not get what somebody else is to receive.
    for (std::size_t i = 0; i < deeds.size(); ++i) {
        if (deeds[i].is_from_anybody) deeds[i].tag = 100 + i;
    }
    RunConfiguration configuration;
    configuration.eager_limit_bytes = *rc::gen::element(64, 2048, 4096);
    configuration.control_bytes = 32;
    configuration.poll_cost = configuration.clock_cost = Duration{1'000};
    configuration.send_overhead = Duration{*rc::gen::element(0, 30'000)};
    configuration.receive_overhead = Duration{*rc::gen::element(0, 70'000)};
    configuration.match_cost = Duration{*rc::gen::element(0, 110'000)};
    const Facts early = run(deeds, configuration, true);
    const Facts in_time = run(deeds, configuration, false);
    RC_ASSERT(early.times_ps == in_time.times_ps);
    RC_ASSERT(early.event_hash == in_time.event_hash);
}

/// Pairs that exchange: the first of each pair waits, the second does not.
TEST(EarlyReceive, HalfAsManyHandoversDoForAnExchange) {
    constexpr int kRounds = 200;
    Deeds deeds;
    for (int round = 0; round < kRounds; ++round) {
        for (const std::uint32_t step : {1U, 2U}) {
            for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
                if (rank < (rank ^ step))
                    deeds.push_back({Deed::Kind::kExchange, rank, rank ^ step, 8});
            }
        }
    }
    RunConfiguration configuration;
    configuration.eager_limit_bytes = 4096;
    const Facts early = run(deeds, configuration, true);
    const Facts in_time = run(deeds, configuration, false);
    EXPECT_EQ(early.times_ps, in_time.times_ps);
    constexpr std::uint64_t kMessages = kRounds * 2 * kRanks;
    EXPECT_GE(in_time.handovers, kMessages);
    EXPECT_LE(early.handovers, kMessages / 2 + 10 * kRanks);
}

/// More than a rank's deferred steps have room for.
TEST(EarlyReceive, ARankThatIsFarAheadWaitsForItsClock) {
    Deeds deeds;
    deeds.push_back({Deed::Kind::kCompute, 0, 0, 4096});
    deeds.push_back({Deed::Kind::kMessage, 0, 1, 8});
    for (int i = 0; i < 3000; ++i) deeds.push_back({Deed::Kind::kMessage, 1, 2, 8});
    RunConfiguration configuration;
    configuration.eager_limit_bytes = 4096;
    const Facts early = run(deeds, configuration, true);
    const Facts in_time = run(deeds, configuration, false);
    EXPECT_EQ(early.times_ps, in_time.times_ps);
    EXPECT_EQ(early.event_hash, in_time.event_hash);
}

/// It is ahead of the limit when the events reach that.
TEST(EarlyReceive, TheLimitEndsARankThatIsAhead) {
    RunConfiguration configuration;
    configuration.eager_limit_bytes = 4096;
    configuration.time_limit = Instant{3'000'000};
    RanksUnderTest ranks(2, configuration);
    ranks.start([](RankPort& port) {
        Caller caller(port);
        for (;;) caller.exchange(1 - port.rank(), 8, 0);
        return 0;
    });
    EXPECT_FALSE(ranks.end());
    EXPECT_EQ(ranks.verdict(), VerdictKind::kTimeLimit);
}

/// After `begin`, a rank's clock is where the rank is whenever a call has returned.
void expect_to_stay_in_time(void (*begin)(RankPort& port)) {
    RunConfiguration configuration;
    configuration.eager_limit_bytes = 4096;
    RanksUnderTest ranks(2, configuration);
    ranks.start([begin](RankPort& port) {
        Caller caller(port);
        begin(port);
        Instant seen{};
        for (int i = 0; i < 50; ++i) {
            caller.exchange(1 - port.rank(), 8, 0);
            if (port.peek() <= seen) return 1;
            seen = port.peek();
        }
        return 0;
    });
    EXPECT_TRUE(ranks.end());
}

TEST(EarlyReceive, ARankWhoseClockOtherThreadsReadStaysInTime) {
    expect_to_stay_in_time([](RankPort& port) { port.watch(); });
}

TEST(EarlyReceive, ARankWithSomethingInTheBackgroundStaysInTime) {
    expect_to_stay_in_time([](RankPort& port) {
        port.enter(CallClass::kBackground, "start");
        port.leave();
    });
}

}  // namespace
}  // namespace kumi
