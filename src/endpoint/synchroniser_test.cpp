#include "endpoint/synchroniser.hpp"

#include <gtest/gtest.h>
// rapidcheck.h defines a type that GoogleTest's header must have seen first.
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>

#include "base/random/random_stream.hpp"
#include "base/rank_torus.hpp"

namespace kumi::endpoint {
namespace {

using namespace literals;

/// A torus or mesh with a latency a hop in each dimension.
struct Platform {
    std::vector<std::uint32_t> sides;
    std::vector<Duration> hop;
    bool wraps = true;

    std::uint32_t ranks() const {
        return std::accumulate(sides.begin(), sides.end(), 1U, std::multiplies<>());
    }
    Duration latency(std::uint32_t from, std::uint32_t to) const {
        Duration sum{};
        for (std::size_t d = 0; d < sides.size(); ++d) {
            const std::uint32_t a = from % sides[d], b = to % sides[d];
            std::uint32_t hops = a < b ? b - a : a - b;
            if (wraps) hops = std::min(hops, sides[d] - hops);
            sum += hop[d] * hops;
            from /= sides[d];
            to /= sides[d];
        }
        return sum;
    }
    Duration farthest(std::uint32_t from) const {
        Duration most{};
        for (std::uint32_t to = 0; to < ranks(); ++to) most = std::max(most, latency(from, to));
        return most;
    }
};

/// Carries the packets of all ranks; each is late by what `error` gives.
class Together {
   public:
    /// Of a packet from one rank to another.
    using Error = std::function<Duration(std::uint32_t, std::uint32_t)>;

    Together(const Platform& platform, RankTorus torus, StartRule rule, Error error)
        : x_platform(platform),
          x_torus(std::move(torus)),
          x_rule(rule),
          x_error(std::move(error)),
          x_counters(std::size_t{2} * x_torus.dimensions() * platform.ranks()),
          x_starts(platform.ranks()),
          sent(platform.ranks()) {
        const std::size_t each = std::size_t{2} * x_torus.dimensions();
        for (std::uint32_t rank = 0; rank < platform.ranks(); ++rank) {
            x_ranks.emplace_back(std::span(x_counters).subspan(rank * each, each));
        }
    }

    /// All ranks enter at these instants, as often as there are entries for each rank: after the
    /// first time, an entry is how long the rank does something else in between.
    std::vector<std::vector<Instant>> run(const std::vector<std::vector<Duration>>& pauses) {
        x_pauses = pauses;
        for (std::uint32_t rank = 0; rank < x_ranks.size(); ++rank) pause(rank, Instant{});
        while (!x_flights.empty()) {
            const auto [when, order] = x_flights.begin()->first;
            const Flight flight = x_flights.begin()->second;
            x_flights.erase(x_flights.begin());
            if (flight.is_entry) {
                enter(flight.target, when);
            } else {
                x_ranks[flight.target].hear(flight.label, when, flight.rest);
                go_on(flight.target);
            }
        }
        return x_starts;
    }

   private:
    struct Flight {
        std::uint32_t target = 0;
        bool is_entry = false;
        Synchroniser::Label label{};
        Duration rest{};
    };

    void add(Instant when, const Flight& flight) { x_flights[{when, x_order++}] = flight; }
    void pause(std::uint32_t rank, Instant since) {
        const std::size_t done = x_starts[rank].size();
        if (done < x_pauses[rank].size()) add(since + x_pauses[rank][done], {rank, true});
    }
    void enter(std::uint32_t rank, Instant when) {
        const Synchroniser::Label label = x_ranks[rank].label();
        Duration farthest{};
        const auto each = [&](auto&& visit) {
            for (std::uint32_t i = 1; i < x_torus.side(label.round); ++i) {
                visit(x_torus.moved(rank, label.round, i));
            }
        };
        each([&](auto to) { farthest = std::max(farthest, x_platform.latency(rank, to)); });
        each([&](auto to) {
            const Duration latency = x_platform.latency(rank, to);
            add(when + latency + x_error(rank, to), {to, false, label, farthest - latency});
            ++sent[rank];
        });
        x_ranks[rank].enter(when, farthest, x_rule);
        go_on(rank);
    }
    void go_on(std::uint32_t rank) {
        const auto end = x_ranks[rank].leave_round(x_torus.side(x_ranks[rank].label().round) - 1);
        if (!end) return;
        if (x_ranks[rank].is_inside()) return add(*end, {rank, true});
        x_starts[rank].push_back(*end);
        pause(rank, *end);
    }

    const Platform& x_platform;
    RankTorus x_torus;
    StartRule x_rule;
    Error x_error;
    std::vector<StartCounter> x_counters;
    std::vector<Synchroniser> x_ranks;
    std::vector<std::vector<Duration>> x_pauses;
    std::vector<std::vector<Instant>> x_starts;
    std::map<std::tuple<Instant, std::uint64_t>, Flight> x_flights;
    std::uint64_t x_order = 0;

   public:
    std::vector<std::uint32_t> sent;  ///< Packets of each rank.
};

Duration no_error(std::uint32_t, std::uint32_t) { return {}; }

Platform arbitrary_platform() {
    Platform platform;
    platform.wraps = *rc::gen::arbitrary<bool>();
    const auto dimensions = *rc::gen::inRange(1, 4);
    for (int d = 0; d < dimensions; ++d) {
        platform.sides.push_back(*rc::gen::inRange<std::uint32_t>(1, 6));
        platform.hop.push_back({*rc::gen::inRange<std::int64_t>(0, 100)});
    }
    return platform;
}

std::vector<std::vector<Duration>> arbitrary_pauses(std::uint32_t ranks, std::size_t times) {
    std::vector<std::vector<Duration>> pauses(ranks);
    for (auto& of_rank : pauses) {
        for (std::size_t i = 0; i < times; ++i) {
            of_rank.push_back({*rc::gen::inRange<std::int64_t>(0, 1000)});
        }
    }
    return pauses;
}

/// When ranks enter their synchronisation number `time`.
std::vector<Instant> entries_of(const std::vector<std::vector<Duration>>& pauses,
                                const std::vector<std::vector<Instant>>& starts, std::size_t time) {
    std::vector<Instant> entries;
    for (std::size_t rank = 0; rank < pauses.size(); ++rank) {
        const Instant before = time == 0 ? Instant{} : starts[rank][time - 1];
        entries.push_back(before + pauses[rank][time]);
    }
    return entries;
}

/// The earliest common start when ranks enter at these instants.
Instant earliest_start(const Platform& platform, const std::vector<Instant>& entries) {
    Instant start{};
    for (std::uint32_t rank = 0; rank < entries.size(); ++rank) {
        start = later(start, entries[rank] + platform.farthest(rank));
    }
    return start;
}

bool are_exact(const Platform& platform, const std::vector<std::vector<Duration>>& pauses,
               const std::vector<std::vector<Instant>>& starts) {
    Instant before{};
    for (std::size_t time = 0; time < pauses[0].size(); ++time) {
        std::vector<Instant> entries;
        for (const auto& of_rank : pauses) entries.push_back(before + of_rank[time]);
        before = earliest_start(platform, entries);
        for (const auto& of_rank : starts) {
            if (of_rank.size() <= time || of_rank[time] != before) return false;
        }
    }
    return true;
}

/// Several times in a row, so that packets of the next synchronisation come early. Along one
/// dimension after the other, the latencies of dimensions add up: the start is the same.
TEST(Synchroniser, AllRanksStartAtTheEarliestInstantThatIsPossible) {
    rc::check("whole platform and by dimension", [] {
        const Platform platform = arbitrary_platform();
        const auto pauses = arbitrary_pauses(platform.ranks(), 3);
        for (const auto& torus : {RankTorus({platform.ranks()}), RankTorus(platform.sides)}) {
            Together all(platform, torus, StartRule::kCorrected, no_error);
            RC_ASSERT(are_exact(platform, pauses, all.run(pauses)));
        }
    });
}

TEST(Synchroniser, TheRuleAsPrintedLetsTheLastRankStartEarly) {
    const Platform platform{{8}, {10_ns}};
    std::vector<std::vector<Duration>> pauses(8, {0_ns});
    pauses[3] = {500_ns};
    Together printed(platform, RankTorus({8}), StartRule::kPrinted, no_error);
    const auto starts = printed.run(pauses);
    EXPECT_EQ(starts[3][0], Instant{} + 500_ns);
    EXPECT_EQ(starts[0][0], Instant{} + 540_ns);
    Together corrected(platform, RankTorus({8}), StartRule::kCorrected, no_error);
    for (const auto& of_rank : corrected.run(pauses)) EXPECT_EQ(of_rank[0], Instant{} + 540_ns);
}

/// Of random entries nearly all go wrong: the last rank's own packet nearly always decides.
TEST(Synchroniser, TheRuleAsPrintedFailsForNearlyAllEntries) {
    const Platform platform{{4, 4}, {7_ns, 11_ns}};
    int apart = 0;
    std::uint64_t state = 1;
    for (int round = 0; round < 200; ++round) {
        std::vector<std::vector<Duration>> pauses(16);
        for (auto& of_rank : pauses) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            of_rank.push_back({static_cast<std::int64_t>(state >> 44)});
        }
        Together all(platform, RankTorus({16}), StartRule::kPrinted, no_error);
        apart += are_exact(platform, pauses, all.run(pauses)) ? 0 : 1;
    }
    EXPECT_GT(apart, 180);
}

/// Each packet is late by a random time in [0, most]. No rank starts before the earliest common
/// start, and none more than `rounds` * `most` after it, so that they are no further apart: a rank
/// enters the second dimension late if the first one ended late for it.
void check_latency_errors(const Platform& platform, const std::vector<std::uint32_t>& sides) {
    const auto rounds = std::ranges::count_if(sides, [](auto side) { return side > 1; });
    constexpr std::size_t kTimes = 3;
    const auto pauses = arbitrary_pauses(platform.ranks(), kTimes);
    const auto most = *rc::gen::inRange<std::int64_t>(0, 500);
    RandomStream random = RandomStreams(*rc::gen::arbitrary<std::uint64_t>(), "test").stream();
    const auto error = [&](std::uint32_t, std::uint32_t) {
        // Often at an end of the range.
        const auto drawn = static_cast<std::int64_t>(random.below(3 * (most + 1)));
        return Duration{std::clamp<std::int64_t>(drawn - most, 0, most)};
    };
    Together all(platform, RankTorus(sides), StartRule::kCorrected, error);
    const auto starts = all.run(pauses);
    for (std::size_t time = 0; time < kTimes; ++time) {
        const Instant exact = earliest_start(platform, entries_of(pauses, starts, time));
        for (const auto& of_rank : starts) {
            RC_ASSERT(of_rank.size() == kTimes);
            RC_ASSERT(of_rank[time] >= exact);
            RC_ASSERT((of_rank[time] - exact).ps <= rounds * most);
        }
    }
}

TEST(Synchroniser, RanksAreAsFarApartAsPacketsAreLateInAllDimensions) {
    rc::check("latency errors at once and by dimension", [] {
        const Platform platform = arbitrary_platform();
        check_latency_errors(platform, {platform.ranks()});
        check_latency_errors(platform, platform.sides);
    });
}

/// One packet is late in each dimension, to the rank that sends the next one, and to its target.
TEST(Synchroniser, ErrorsReachTheirBounds) {
    const Platform platform{{2, 2}, {10_ns, 30_ns}};
    const std::vector<std::vector<Duration>> pauses(4, {0_ns});
    const auto late = [](std::uint32_t from, std::uint32_t to) {
        return (from == 0 && to == 1) || (from == 1 && to == 3) ? 7_ns : 0_ns;
    };
    for (const auto& sides : std::vector<std::vector<std::uint32_t>>{{4}, {2, 2}}) {
        Together all(platform, RankTorus(sides), StartRule::kCorrected, late);
        const auto starts = all.run(pauses);
        EXPECT_EQ(starts[0][0], Instant{} + 40_ns);
        EXPECT_EQ(starts[3][0], Instant{} + 40_ns + std::ssize(sides) * 7_ns);
    }
}

TEST(Synchroniser, ATorusOf4096TakesTheSumOfHalfItsRings) {
    const Platform platform{{16, 16, 16}, {21_ns, 25_ns, 70_ns}};
    Together all(platform, RankTorus(platform.sides), StartRule::kCorrected, no_error);
    const std::vector<std::vector<Duration>> pauses(4096, {0_ns});
    for (const auto& of_rank : all.run(pauses)) {
        ASSERT_EQ(of_rank.size(), 1u);
        ASSERT_EQ(of_rank[0], Instant{} + 928_ns);
    }
    for (const std::uint32_t packets : all.sent) ASSERT_EQ(packets, 45u);
}

TEST(Synchroniser, ARankAloneStartsAtOnce) {
    const Platform platform{{1}, {5_ns}};
    for (const StartRule rule : {StartRule::kCorrected, StartRule::kPrinted}) {
        Together all(platform, RankTorus({1}), rule, no_error);
        EXPECT_EQ(all.run({{3_ns, 4_ns}})[0],
                  (std::vector<Instant>{Instant{} + 3_ns, Instant{} + 7_ns}));
    }
}

}  // namespace
}  // namespace kumi::endpoint
