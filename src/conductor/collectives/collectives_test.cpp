// Ranks that start together in virtual time, and wait for instants after that. What they agree on.

#include "conductor/collectives/collectives.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "base/random/random_stream.hpp"
#include "base/testing/arena_for_tests.hpp"
#include "conductor/testing/ranks_under_test.hpp"

namespace kumi::conductor {
namespace {

using namespace literals;

using Durations = std::vector<Duration>;

constexpr auto kAlltoall = CollectiveFunction::kAlltoall;
/// Of a packet without bytes between any two hosts.
constexpr Duration kWay = 2 * RanksUnderTest::kLinkLatency;

RunConfiguration configuration_of(bool runs_ahead) {
    return {.endpoint = {.eager_limit_bytes = 1 << 16}, .runs_ahead = runs_ahead};
}

StartMember& join_all(AllPorts& port) {
    std::vector<std::uint32_t> ranks(port.rank_count());
    std::iota(ranks.begin(), ranks.end(), 0U);
    return port.join_group(ranks, std::vector<std::uint32_t>{port.rank_count()});
}

class CollectivesTest : public testing::TestWithParam<bool> {
   protected:
    RanksUnderTest& make(std::uint32_t ranks, const CollectiveSettings& settings = {}) {
        x_ranks = std::make_unique<RanksUnderTest>(ranks, configuration_of(GetParam()));
        x_ranks->run->schedule_collectives(settings);
        return *x_ranks;
    }
    template <class Body>
    const RanksUnderTest& complete(std::uint32_t ranks, const CollectiveSettings& settings,
                                   Body&& body) {
        make(ranks, settings).complete(body);
        return *x_ranks;
    }
    const Collectives& collectives() const { return *x_ranks->run->state().collectives; }

   private:
    std::unique_ptr<RanksUnderTest> x_ranks;
};

TEST_P(CollectivesTest, AllStartWhenTheLastOneIsKnownToAll) {
    const RanksUnderTest& ranks = complete(4, {}, [](AllPorts& port) {
        port.compute(Duration{1'000'000 * (port.rank() + 1)});
        const InCall call(port, "start");
        StartMember& member = join_all(port);
        if (!port.await_start(member)) return 1;
        return port.now() == member.start ? 0 : 2;
    });
    EXPECT_EQ(ranks.clocks(), Durations(4, 4_us + kWay));
    const endpoint::StartTotals totals = collectives().totals();
    EXPECT_EQ(totals.synchronisations, 1U);
    EXPECT_EQ(totals.packets, 12U);
    EXPECT_EQ(totals.time, kWay);
    EXPECT_EQ(totals.largest_skew, Duration{});
}

TEST_P(CollectivesTest, TheyDoSoAgainAndAgainAndAlongDimensions) {
    const RanksUnderTest& ranks = complete(6, {}, [](AllPorts& port) {
        // Places are not the ranks.
        const std::vector<std::uint32_t> rank_at{3, 1, 5, 0, 2, 4}, sides{2, 3};
        for (std::int64_t round = 0; round < 5; ++round) {
            port.compute(Duration{1'000 * round * (port.rank() % 3)});
            const InCall call(port, "start");
            if (!port.await_start(port.join_group(rank_at, sides))) return 1;
        }
        return 0;
    });
    // Two dimensions, one after the other; the slowest ranks compute 0 + 2 + 4 + 6 + 8 ns.
    EXPECT_EQ(ranks.clocks(), Durations(6, 5 * 2 * kWay + 20_ns));
    EXPECT_EQ(collectives().totals().synchronisations, 5U);
    EXPECT_EQ(collectives().totals().rounds, 2U);
    EXPECT_EQ(collectives().totals().packets, 5U * 6 * (1 + 2));
    EXPECT_EQ(collectives().groups->next, nullptr);
}

TEST_P(CollectivesTest, GroupsOfOtherRanksStartByThemselves) {
    const RanksUnderTest& ranks = complete(4, {}, [](AllPorts& port) {
        const bool is_even = port.rank() % 2 == 0;
        const std::vector<std::uint32_t> rank_at =
            is_even ? std::vector<std::uint32_t>{0, 2} : std::vector<std::uint32_t>{1, 3};
        if (!is_even) port.compute(7_us);
        const InCall call(port, "start");
        return port.await_start(port.join_group(rank_at, std::vector{2U})) ? 0 : 1;
    });
    EXPECT_EQ(ranks.clocks(), (Durations{kWay, 7_us + kWay, kWay, 7_us + kWay}));
}

TEST_P(CollectivesTest, ARankWaitsForItsInstantOrHasMissedIt) {
    const RanksUnderTest& ranks = complete(2, {}, [](AllPorts& port) {
        const InCall call(port, "start");
        StartMember& member = join_all(port);
        if (!port.await_start(member)) return 1;
        port.wait_after_start(member, 3_us, kAlltoall);
        if (port.now() != member.start + 3_us) return 2;
        if (port.rank() == 1) port.spend(5_us);
        port.wait_after_start(member, 6_us, kAlltoall);
        return 0;
    });
    EXPECT_EQ(ranks.clocks(), (Durations{kWay + 6_us, kWay + 8_us}));
    const endpoint::StartTotals totals = collectives().totals();
    EXPECT_EQ(totals.waits, 4U);
    EXPECT_EQ(totals.missed, 1U);
    EXPECT_EQ(totals.largest_lateness, 2_us);
    EXPECT_EQ(collectives().counts[0].missed, 1U);
}

/// The errors are those of the rank's starts in their order, whatever the group. An instant after a
/// start is late by as much, and so is the next start if the rank was the last to enter.
TEST_P(CollectivesTest, RanksNoticeStartsLateByTheJitter) {
    const CollectiveSettings settings{.jitter = 900_ns, .seed = 5};
    const endpoint::StartJitter jitter(settings.jitter, settings.seed);
    complete(4, settings, [&](AllPorts& port) {
        const std::uint32_t rank = port.rank();
        const auto last_error = [&](std::uint32_t first, std::uint64_t start) {
            return std::max(jitter.error(first, start), jitter.error(first + 2, start));
        };
        const InCall call(port, "start");
        StartMember& member = join_all(port);
        if (!port.await_start(member)) return 1;
        const Instant first = Instant{} + kWay;
        if (port.now() != first + jitter.error(rank, 0)) return 2;
        port.wait_after_start(member, 3_us, kAlltoall);
        if (port.now() != first + jitter.error(rank, 0) + 3_us) return 3;
        // Ranks 0 and 2, or 1 and 3.
        const std::vector<std::uint32_t> rank_at{rank % 2, rank % 2 + 2};
        StartMember& pair = port.join_group(rank_at, std::vector{2U});
        for (std::uint64_t start = 1; start < 4; ++start) {
            if (!port.await_start(pair)) return 4;
        }
        Instant expected = first + 3_us;
        for (std::uint64_t start = 0; start < 3; ++start) {
            expected += last_error(rank % 2, start) + kWay;
        }
        return port.now() == expected + jitter.error(rank, 3) ? 0 : 5;
    });
    const endpoint::StartTotals totals = collectives().totals();
    EXPECT_EQ(totals.missed, 0U);
    EXPECT_GT(totals.largest_skew, Duration{});
    EXPECT_LE(totals.largest_skew, settings.jitter);
}

TEST_P(CollectivesTest, ARankThatHasToAnswerDoesSoBeforeItStarts) {
    const RanksUnderTest& ranks = complete(2, {}, [](AllPorts& port) {
        port.enter(CallClass::kBlocking, "start");
        StartMember& member = join_all(port);
        const std::uint32_t receive = port.make_request(endpoint::RequestKind::kReceive);
        port.request(receive).pattern = matching::kAnything;
        port.request(receive).tagged = false;
        port.request(receive).capacity_bytes = 100;
        port.post(receive);
        const auto send_untagged = [&] {
            const std::uint32_t index = port.prepare(1 - port.rank(), MessageKind::kEager, 0);
            port.message(index).head.tagged = false;
            port.send(index);
        };
        const auto take = [&] {
            const std::uint32_t done = port.take_complete();
            if (done == endpoint::kNone) return false;
            port.finish(done);
            return true;
        };
        if (port.rank() == 0) {
            // Starts only once it has an answer, for which rank 1 must be asked.
            send_untagged();
            while (!take()) port.wait({});
            return port.await_start(member) ? 0 : 1;
        }
        int answers = 0;
        while (!port.await_start(member)) {
            while (take()) {
                send_untagged();
                ++answers;
            }
            (void)port.take_complete();  // Nothing is left to answer.
        }
        port.leave();
        return answers == 1 ? 0 : 2;
    });
    EXPECT_EQ(ranks.clocks(), Durations(2, 3 * kWay));
}

TEST_P(CollectivesTest, ARankThatIsNotThereIsADeadlock) {
    RanksUnderTest& ranks = make(2);
    ranks.fail(VerdictKind::kDeadlock, [](AllPorts& port) {
        const InCall call(port, "start");
        if (port.rank() == 0)
            (void)port.await_start(join_all(port));
        else
            receive_any(port);
    });
}

TEST_P(CollectivesTest, CallsCountWhereTheRankIs) {
    complete(2, {}, [](AllPorts& port) {
        for (const auto choice : {CollectiveChoice::kShape, CollectiveChoice::kScheduled}) {
            const InCall call(port, "exchange");
            port.note_collective(kAlltoall, choice, /*begins=*/true);
            const std::uint32_t other = 1 - port.rank();
            send_bytes(port, other, 100);
            wait_for(port, post_receive(port, {other, 0, ~std::uint64_t{0}}));
            port.note_collective(kAlltoall, choice, /*begins=*/false);
        }
    });
    const CollectiveCounts& counts = collectives().counts[0];
    const Duration each = kWay + Duration{100 * RanksUnderTest::kPsPerByte};
    for (const auto choice : {CollectiveChoice::kShape, CollectiveChoice::kScheduled}) {
        EXPECT_EQ(counts.calls[static_cast<std::size_t>(choice)], 2U);
        EXPECT_EQ(counts.time[static_cast<std::size_t>(choice)], 2 * each);
    }
}

TEST_P(CollectivesTest, StepsAreKnownToAllOnceOneRankHasFoundThem) {
    complete(2, {.guard = 10_ns}, [](AllPorts& port) {
        port.enter(CallClass::kBlocking, "start");
        StartMember& member = join_all(port);
        if (port.rank() == 0) {
            if (port.find_steps(member, {kAlltoall, 8, 1}) != nullptr) return 1;
            port.keep_steps(member, {kAlltoall, 8, 1}, std::vector{100_ns, 200_ns, 300_ns}, 7_us);
        }
        if (!port.await_start(member)) return 2;
        port.leave();
        const StepInstants* steps = port.find_steps(member, {kAlltoall, 8, 1});
        if (steps == nullptr || port.find_steps(member, {kAlltoall, 9, 1}) != nullptr ||
            port.find_steps(member, {kAlltoall, 8, 2}) != nullptr)
            return 3;
        if (steps->wake_lead != 7_us) return 5;
        const std::vector<Duration> wanted{0_ns, 110_ns, 320_ns};
        const std::span found(steps->begins, steps->count);
        return std::ranges::equal(found, wanted) ? 0 : 4;
    });
}

TEST_P(CollectivesTest, AMessageTakesWhatItDoesOverAnIdleNetwork) {
    complete(2, {}, [](AllPorts& port) {
        const Duration small = port.idle_time(0, 1, 1000);
        const Duration bytes{1000 * RanksUnderTest::kPsPerByte};
        return small == kWay + bytes ? 0 : 1;
    });
}

/// A message of 4,000 bytes takes two, and the request for it one.
TEST(CollectiveSettingsTest, BothEndsWorkForDatagramsIfAllMessagesGoByThem) {
    namespace service = endpoint::service;
    const Duration bytes{4000 * RanksUnderTest::kPsPerByte};
    for (const bool is_rendezvous : {false, true}) {
        for (const auto kind : {service::Kind::kUd, service::Kind::kHint}) {
            RunConfiguration configuration = configuration_of(/*runs_ahead=*/false);
            configuration.endpoint.eager_limit_bytes = is_rendezvous ? 100 : 1 << 16;
            configuration.endpoint.control_bytes = 0;
            configuration.endpoint.service = {
                .kind = kind, .packet_cost = 150_ns, .mtu_bytes = 2048};
            RanksUnderTest ranks(2, configuration);
            Duration expected = (is_rendezvous ? 4 : 1) * kWay + bytes;
            if (kind == service::Kind::kUd) expected += (is_rendezvous ? 3 : 2) * 2 * 150_ns;
            ranks.complete([=](const AllPorts& port) {
                return port.idle_time(0, 1, 4000) == expected ? 0 : 1;
            });
        }
    }
}

TEST(CollectiveSettingsTest, SidesMustBeThoseOfTheHosts) {
    RanksUnderTest ranks(4);
    EXPECT_THROW(ranks.run->schedule_collectives({.sides = {2, 3}}), std::invalid_argument);
    EXPECT_THROW(ranks.run->schedule_collectives({.sides = {1U << 31, 1U << 31, 4}}),
                 std::invalid_argument);
    ranks.run->schedule_collectives({.sides = {2, 2}});
    EXPECT_EQ(ranks.run->state().collectives->dimensions, 2U);
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutRunningAhead, CollectivesTest, testing::Bool());

TEST(AgreedCalls, TheFirstRankDecidesForTheOthers) {
    ArenaForTests arena;
    AgreedCalls calls;
    EXPECT_TRUE(calls.agree(*arena, 0, true));
    EXPECT_TRUE(calls.agree(*arena, 1, false));
    EXPECT_TRUE(calls.agree(*arena, 0, true));
    EXPECT_FALSE(calls.agree(*arena, 1, true));
    EXPECT_TRUE(calls.agree(*arena, 1, false));
    EXPECT_FALSE(calls.agree(*arena, 0, false));
}

/// Ranks make the same calls, in any order among each other, and one may be wrong once.
RC_GTEST_PROP(AgreedCalls, AreThoseOfAVector, ()) {
    const auto answers = *rc::gen::container<std::vector<bool>>(rc::gen::arbitrary<bool>());
    RC_PRE(!answers.empty());
    const auto ranks = *rc::gen::inRange<std::size_t>(1, 5);
    const auto wrong_rank = *rc::gen::inRange<std::size_t>(0, 5);
    const auto wrong_call = *rc::gen::inRange<std::size_t>(0, answers.size());
    RandomStream order = RandomStreams(*rc::gen::arbitrary<std::uint64_t>(), "test").stream();
    ArenaForTests arena;
    AgreedCalls calls;
    std::vector<std::size_t> next(ranks, 0);
    std::vector<int> first(answers.size(), -1);
    while (std::ranges::any_of(next, [&](std::size_t at) { return at < answers.size(); })) {
        const std::size_t rank = order.below(ranks);
        const std::size_t call = next[rank];
        if (call == answers.size()) continue;
        ++next[rank];
        const bool answer = answers[call] != (rank == wrong_rank && call == wrong_call);
        if (first[call] < 0) first[call] = answer ? 1 : 0;
        RC_ASSERT(calls.agree(*arena, call, answer) == (answer == (first[call] == 1)));
    }
}

}  // namespace
}  // namespace kumi::conductor
