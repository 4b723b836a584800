// Ranks that go on with messages on their way have the times of ranks that wait for them.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <thread>
#include <vector>

#include "transport/testing/transport_under_test.hpp"

namespace kumi::provider {
namespace {

/// What ranks do, in an order in which it can be done: none waits for what comes later.
struct Deed {
    enum class Kind { kMessage, kExchange, kHalo, kRace, kCompute, kCount, kReadClock, kTest };
    Kind kind = Kind::kCompute;
    std::uint32_t rank = 0;  ///< The source of a message.
    std::uint32_t peer = 0;
    std::uint64_t size_bytes = 0;
    std::uint64_t tag = 0;
    bool is_from_anybody = false;
    // Of a halo or a race, in which all ranks take part:
    bool waits_one_by_one = false;
    bool exchanges = false;         ///< While the messages of a halo are outstanding.
    std::uint32_t synchronous = 0;  ///< A bit for each rank that sends so.
};
using Deeds = std::vector<Deed>;

std::ostream& operator<<(std::ostream& out, const Deed& deed) {
    constexpr const char* kNames[] = {"message", "exchange", "halo",       "race",
                                      "compute", "count",    "read clock", "test"};
    return out << kNames[static_cast<int>(deed.kind)] << ' ' << deed.rank << " -> " << deed.peer
               << ", " << deed.size_bytes << " bytes, tag " << deed.tag
               << (deed.is_from_anybody ? ", from anybody" : "")
               << (deed.waits_one_by_one ? ", waits one by one" : "")
               << (deed.exchanges ? ", exchanges" : "") << ", synchronous " << deed.synchronous;
}

constexpr std::uint32_t kRanks = 4;

struct Awaited {
    bool is_done = false;
    std::uint32_t call = 0;  ///< In which it was started.
};

/// What this process has computed so far.
std::uint64_t counted_millicycles = 0;

/// A rank's MPI library, as far as it is needed.
class Caller final : public transport::RankUnderTest {
   public:
    explicit Caller(conductor::AllPorts& of_rank)
        : RankUnderTest(of_rank, {2}, {.needed_messages = transport::list_needed}) {}

    void send(std::uint32_t target, std::uint64_t size_bytes, std::uint64_t tag) {
        in_call("send", [&] { start_send(target, size_bytes, tag); });
    }
    void receive(std::uint32_t source, std::uint64_t size_bytes, std::uint64_t tag) {
        in_call("receive", [&] {
            Awaited request;
            post(source, size_bytes, tag, request);
            progress_until_done({&request});
        });
    }
    void exchange(std::uint32_t peer, std::uint64_t size_bytes, std::uint64_t tag) {
        in_call("exchange", [&] {
            Awaited request;
            post(peer, size_bytes, tag, request);
            start_send(peer, size_bytes, tag);
            progress_until_done({&request});
        });
    }
    void test() {
        in_call("test", [&] { progress(); }, CallClass::kPolling);
    }

    void begin_receive(std::uint32_t source, std::uint64_t size_bytes, std::uint64_t tag,
                       Awaited& request, std::uint64_t ignore = 0) {
        in_call("begin receive", [&] { post(source, size_bytes, tag, request, ignore); });
    }
    void begin_send(std::uint32_t target, std::uint64_t size_bytes, std::uint64_t tag,
                    Awaited& request) {
        in_call("begin send", [&] { start_send(target, size_bytes, tag, &request); });
    }
    /// The request ends when the target has answered.
    void begin_synchronous_send(std::uint32_t target, std::uint64_t size_bytes, std::uint64_t tag,
                                Awaited& request) {
        in_call(
            "begin synchronous send",
            [&] {
                post(target, 0, tag | kAnswer, request);
                start_send(target, size_bytes, tag | kSynchronous);
            },
            CallClass::kSynchronous);
    }
    void wait(const std::vector<Awaited*>& requests) {
        in_call("wait", [&] {
            for (const Awaited* request : requests)
                transport::needed_calls.push_back(request->call);
            progress_until_done(requests);
            transport::needed_calls.clear();
        });
    }

   private:
    static constexpr std::uint64_t kSynchronous = std::uint64_t{1} << 40;
    static constexpr std::uint64_t kAnswer = std::uint64_t{1} << 41;

    template <class Body>
    void in_call(const CallName& name, Body&& body, CallClass call_class = CallClass::kBlocking) {
        port.enter(call_class, name);
        body();
        port.leave();
    }
    void start_send(std::uint32_t target, std::uint64_t size_bytes, std::uint64_t tag,
                    Awaited* request = nullptr) {
        transport.send(target, transport::Buffer::of(x_memory, size_bytes), request,
                       {.tag = tag, .wants_completion = request != nullptr});
    }
    void post(std::uint32_t source, std::uint64_t size_bytes, std::uint64_t tag, Awaited& request,
              std::uint64_t ignore = 0) {
        request.call = port.call_count();
        transport.receive({source, tag, kSynchronous | ignore},
                          transport::Buffer::of(x_memory, size_bytes), &request, {});
    }
    /// Looks once at what has completed, and answers what was sent synchronously.
    void progress() {
        transport.progress();
        if (completions.empty()) return transport.note_empty_poll();
        transport.note_event();
        for (; !completions.empty(); completions.pop_front()) {
            const transport::Completion& completion = completions.front();
            static_cast<Awaited*>(completion.context)->is_done = true;
            const bool is_receive =
                completion.operation == transport::Completion::Operation::kReceive;
            if (is_receive && (completion.tag & kSynchronous) != 0)
                start_send(completion.source, 0, completion.tag ^ kSynchronous ^ kAnswer);
        }
    }
    void progress_until_done(const std::vector<Awaited*>& requests) {
        while (!std::ranges::all_of(requests, &Awaited::is_done)) progress();
    }

    char x_memory[4096] = {};
};

/// Each rank sends to all others and waits for what they send; the message for `peer` or from it
/// may be a large one.
void do_halo(const Deed& deed, conductor::AllPorts& port, Caller& caller) {
    const std::uint32_t rank = port.rank();
    Awaited requests[2 * kRanks];
    std::vector<Awaited*> awaited;
    const auto size_between = [&](std::uint32_t source, std::uint32_t target) {
        return source == deed.peer || target == deed.peer ? deed.size_bytes : 8;
    };
    for (std::uint32_t step = 1; step < kRanks; ++step) {
        const std::uint32_t source = (rank + step) % kRanks;
        caller.begin_receive(source, size_between(source, rank), deed.tag, requests[source]);
        awaited.push_back(&requests[source]);
    }
    for (std::uint32_t step = 1; step < kRanks; ++step) {
        const std::uint32_t target = (rank + step) % kRanks;
        const std::uint64_t size_bytes = size_between(rank, target);
        Awaited& request = requests[kRanks + target];
        if ((deed.synchronous >> rank & 1) != 0)
            caller.begin_synchronous_send(target, size_bytes, deed.tag, request);
        else
            caller.begin_send(target, size_bytes, deed.tag, request);
        awaited.push_back(&request);
    }
    if (deed.exchanges) caller.exchange(rank ^ 1, deed.size_bytes, deed.tag + 10);
    if (!deed.waits_one_by_one) return caller.wait(awaited);
    // Those of sends first: something is done before the messages are waited for.
    std::ranges::reverse(awaited);
    for (Awaited* request : awaited) {
        caller.wait({request});
        port.compute(Duration{static_cast<std::int64_t>(deed.size_bytes) * 100});
    }
}

/// Each rank sends two messages to each other, an odd and an even one. Which of its receives gets
/// which depends on the order of arrival: the first take even ones from anybody, all but one of
/// them; the next take any message of one rank; what is left goes to the last.
void do_race(const Deed& deed, conductor::AllPorts& port, Caller& caller) {
    constexpr std::uint32_t kOthers = kRanks - 1;
    const std::uint64_t even = 2 * deed.tag + 1000;
    const auto other = [&port](std::uint32_t step) { return (port.rank() + step) % kRanks; };
    Awaited requests[4 * kOthers];
    std::vector<Awaited*> awaited;
    for (Awaited& request : requests) awaited.push_back(&request);
    Awaited* next = requests;
    for (std::uint32_t i = 1; i < kOthers; ++i)
        caller.begin_receive(matching::kAnySource, 4096, even, *next++);
    for (std::uint32_t step = 1; step < kRanks; ++step)
        caller.begin_receive(other(step), 4096, even, *next++, 1);
    caller.begin_receive(matching::kAnySource, 4096, even, *next++, 1);
    for (std::uint32_t step = 1; step < kRanks; ++step) {
        port.compute(Duration{static_cast<std::int64_t>(port.rank() == deed.rank ? 400'000 : 9)});
        for (const std::uint64_t odd : {0, 1})
            caller.begin_send(other(step), other(step) == deed.peer ? deed.size_bytes : 8,
                              even + odd, *next++);
    }
    // Those that may be certain, first.
    if (deed.waits_one_by_one) caller.wait({requests + kOthers - 1, requests + kOthers});
    caller.wait(awaited);
}

void do_part(const Deed& deed, conductor::AllPorts& port, Caller& caller) {
    const bool is_source = deed.rank == port.rank();
    if (deed.kind == Deed::Kind::kRace) return do_race(deed, port, caller);
    if (deed.kind == Deed::Kind::kHalo) return do_halo(deed, port, caller);
    if (!is_source && deed.peer != port.rank()) return;
    switch (deed.kind) {
        case Deed::Kind::kHalo:
        case Deed::Kind::kRace:
            break;
        case Deed::Kind::kMessage:
            if (is_source)
                caller.send(deed.peer, deed.size_bytes, deed.tag);
            else
                caller.receive(deed.is_from_anybody ? matching::kAnySource : deed.rank,
                               deed.size_bytes, deed.tag);
            break;
        case Deed::Kind::kExchange:
            caller.exchange(is_source ? deed.peer : deed.rank, deed.size_bytes, deed.tag);
            break;
        case Deed::Kind::kCompute:
            if (!is_source) break;
            port.compute(Duration{static_cast<std::int64_t>(deed.size_bytes) * 500});
            // On several cores the others go on meanwhile.
            std::this_thread::sleep_for(std::chrono::microseconds(deed.size_bytes / 20));
            break;
        case Deed::Kind::kCount:
            if (!is_source) break;
            // In small steps, so that the others see how far it has got.
            for (std::uint64_t step = 0; step < deed.size_bytes / 100; ++step) {
                counted_millicycles += deed.size_bytes + step;
                std::this_thread::sleep_for(std::chrono::microseconds(5));
            }
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

Facts run(const Deeds& deeds, conductor::RunConfiguration configuration, bool runs_ahead,
          std::uint32_t cores = 1) {
    configuration.runs_ahead = runs_ahead;
    configuration.long_compute_ns = -1;  // every call is worth a hand-over
    configuration.compute_mode = conductor::ComputeMode::kCounted;
    configuration.node_flops = 7'000'000'000;
    conductor::RanksUnderTest ranks(kRanks, configuration);
    ranks.use_cores(cores);
    ranks.complete([&deeds](conductor::AllPorts& port) {
        Caller caller(port);
        port.follow({&counted_millicycles, 1500});
        for (const Deed& deed : deeds) do_part(deed, port, caller);
    });
    const conductor::ConductorState& state = ranks.run->state();
    Facts facts;
    facts.event_hash = state.network->event_hash();
    facts.handovers = state.handovers.load();
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
        facts.times_ps.push_back(ranks.clock(rank).ps);
        for (const Duration total : state.ranks[rank].totals.by_state)
            facts.times_ps.push_back(total.ps);
    }
    return facts;
}

rc::Gen<Deed> any_deed() {
    using Kind = Deed::Kind;
    return rc::gen::apply(
        [](Kind kind, std::uint32_t rank, std::uint32_t other, std::uint64_t size_bytes,
           std::uint64_t tag, int anybody, bool one_by_one, bool exchanges,
           std::uint32_t synchronous) {
            const bool is_halo = kind == Kind::kHalo || kind == Kind::kRace;
            return Deed{.kind = kind,
                        .rank = rank,
                        .peer = (rank + other) % kRanks,
                        .size_bytes = size_bytes,
                        .tag = tag,
                        .is_from_anybody = !is_halo && anybody == 0,
                        .waits_one_by_one = is_halo && one_by_one,
                        .exchanges = kind == Kind::kHalo && exchanges,
                        .synchronous = is_halo ? synchronous : 0};
        },
        rc::gen::weightedElement<Kind>({{6, Kind::kMessage},
                                        {6, Kind::kExchange},
                                        {3, Kind::kHalo},
                                        {2, Kind::kRace},
                                        {3, Kind::kCompute},
                                        {3, Kind::kCount},
                                        {1, Kind::kReadClock},
                                        {1, Kind::kTest}}),
        rc::gen::inRange<std::uint32_t>(0, kRanks), rc::gen::inRange<std::uint32_t>(1, kRanks),
        rc::gen::inRange<std::uint64_t>(1, 4096), rc::gen::inRange<std::uint64_t>(0, 2),
        rc::gen::inRange(0, 12), rc::gen::arbitrary<bool>(), rc::gen::arbitrary<bool>(),
        rc::gen::element<std::uint32_t>(0, 0, 1, 5, 15));
}

RC_GTEST_PROP(EarlyReceive, EverythingHappensWhenItWouldHave, ()) {
    auto deeds = *rc::gen::resize(60, rc::gen::container<Deeds>(any_deed())).as("what ranks do");
    // A receive from any source must not get what another is to receive.
    for (std::size_t i = 0; i < deeds.size(); ++i) {
        if (deeds[i].is_from_anybody) deeds[i].tag = 100 + i;
    }
    conductor::RunConfiguration configuration;
    configuration.endpoint.eager_limit_bytes = *rc::gen::element(64, 2048, 4096);
    configuration.endpoint.control_bytes = 32;
    configuration.poll_cost = configuration.clock_cost = Duration{1'000};
    configuration.endpoint.send_overhead = Duration{*rc::gen::element(0, 30'000)};
    configuration.endpoint.receive_overhead = Duration{*rc::gen::element(0, 70'000)};
    configuration.endpoint.matching =
        matching::CostModel::list(Duration{*rc::gen::element(0, 110'000)});
    const Facts early = run(deeds, configuration, true);
    const Facts in_time = run(deeds, configuration, false);
    RC_ASSERT(early.times_ps == in_time.times_ps);
    RC_ASSERT(early.event_hash == in_time.event_hash);
    for (const bool runs_ahead : {true, false}) {
        const Facts in_parallel = run(deeds, configuration, runs_ahead, 3);
        RC_ASSERT(in_parallel.times_ps == in_time.times_ps);
        RC_ASSERT(in_parallel.event_hash == in_time.event_hash);
    }
}

const conductor::RunConfiguration kAllEager{.endpoint = {.eager_limit_bytes = 4096}};

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
    const Facts early = run(deeds, kAllEager, true);
    const Facts in_time = run(deeds, kAllEager, false);
    EXPECT_EQ(early.times_ps, in_time.times_ps);
    constexpr std::uint64_t kMessages = kRounds * 2 * kRanks;
    EXPECT_GE(in_time.handovers, kMessages);
    EXPECT_LE(early.handovers, kMessages / 2 + 10 * kRanks);
}

/// A rank that waits for all others, at once or for one after the other, is not resumed for each.
TEST(EarlyReceive, OneHandoverDoesForAllThatARankWaitsFor) {
    constexpr int kRounds = 200;
    for (const bool waits_one_by_one : {false, true}) {
        const Deeds deeds(
            kRounds,
            {.kind = Deed::Kind::kHalo, .size_bytes = 8, .waits_one_by_one = waits_one_by_one});
        conductor::RunConfiguration configuration = kAllEager;
        configuration.endpoint.receive_overhead = Duration{70'000};
        configuration.endpoint.matching = matching::CostModel::list(Duration{11'000});
        const Facts waiting = run(deeds, configuration, true);
        const Facts resumed = run(deeds, configuration, false);
        EXPECT_EQ(waiting.times_ps, resumed.times_ps);
        EXPECT_EQ(waiting.event_hash, resumed.event_hash);
        EXPECT_LE(waiting.handovers, kRounds * kRanks + 10 * kRanks);
    }
}

/// More than a rank's deferred steps have room for.
TEST(EarlyReceive, ARankThatIsFarAheadWaitsForItsClock) {
    Deeds deeds;
    deeds.push_back({Deed::Kind::kCompute, 0, 0, 4096});
    deeds.push_back({Deed::Kind::kMessage, 0, 1, 8});
    for (int i = 0; i < 3000; ++i) deeds.push_back({Deed::Kind::kMessage, 1, 2, 8});
    const Facts early = run(deeds, kAllEager, true);
    const Facts in_time = run(deeds, kAllEager, false);
    EXPECT_EQ(early.times_ps, in_time.times_ps);
    EXPECT_EQ(early.event_hash, in_time.event_hash);
}

/// It is ahead of the limit when the events reach that.
TEST(EarlyReceive, TheLimitEndsARankThatIsAhead) {
    conductor::RunConfiguration configuration = kAllEager;
    configuration.time_limit = Instant{3'000'000};
    conductor::RanksUnderTest ranks(2, configuration);
    ranks.fail(conductor::VerdictKind::kTimeLimit, [](conductor::AllPorts& port) {
        Caller caller(port);
        for (;;) caller.exchange(1 - port.rank(), 8, 0);
    });
}

/// What it spends between two calls is more than a clock can say.
TEST(EarlyReceive, TheEndOfTimeEndsARankThatIsAhead) {
    conductor::RanksUnderTest ranks(2, kAllEager);
    ranks.fail(conductor::VerdictKind::kTimeLimit, [](conductor::AllPorts& port) {
        constexpr Duration kAnHour{3'600 * 1'000'000'000'000};
        Caller caller(port);
        for (;;) {
            caller.exchange(1 - port.rank(), 8, 0);
            for (int i = 0; i < 10'000; ++i) port.compute(kAnHour);
        }
    });
}

/// After `begin`, a rank's clock is where the rank is whenever a call has returned.
void expect_to_stay_in_time(void (*begin)(conductor::AllPorts& port)) {
    conductor::RanksUnderTest ranks(2, kAllEager);
    ranks.complete([begin](conductor::AllPorts& port) {
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
}

TEST(EarlyReceive, ARankWhoseClockOtherThreadsReadStaysInTime) {
    expect_to_stay_in_time([](conductor::AllPorts& port) { port.watch(); });
}

TEST(EarlyReceive, ARankWithSomethingInTheBackgroundStaysInTime) {
    expect_to_stay_in_time([](conductor::AllPorts& port) {
        port.enter(CallClass::kBackground, "start");
        port.leave();
    });
}

}  // namespace
}  // namespace kumi::provider
