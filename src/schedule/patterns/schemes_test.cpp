// Suh and Shin's all-to-all under every scheme, in closed forms.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "schedule/patterns/patterns.hpp"
#include "schedule/patterns/step_times.hpp"
#include "schedule/testing/replay_under_test.hpp"

namespace kumi::schedule {
namespace {

using collectives::Scheme;

/// A torus as in the study that proposed the clock: 16 GB/s, 21, 25 and 70 ns a hop.
struct PaperTorus : Platform {
    explicit PaperTorus(std::uint32_t side)
        : Platform(grid_of("torus", {side, side, side}, {21_ns, 25_ns, 70_ns}, 128'000'000'000)) {
        parameters.endpoint.eager_limit_bytes = std::uint64_t{1} << 40;
        parameters.rank_hosts.resize(fabric.hosts);
        std::iota(parameters.rank_hosts.begin(), parameters.rank_hosts.end(), 0U);
    }

    Duration synchronisation() const { return (parameters.start_sides[0] / 2) * 116_ns; }

    collectives::PatternParameters pattern(std::uint64_t size_bytes) const {
        return {
            .ranks = fabric.hosts, .size_bytes = size_bytes, .dimensions = parameters.start_sides};
    }
    std::vector<Duration> times(std::uint64_t size_bytes) const {
        const auto made = make_pattern("alltoall/suh_shin", pattern(size_bytes));
        return step_times(*made, fabric.hosts, MessageTimes(parameters, fabric, *topology));
    }
    StepScheme steps(Scheme scheme, std::uint64_t size_bytes, Duration guard = {}) const {
        StepScheme steps{scheme, {{}}};
        for (const Duration step : times(size_bytes))
            steps.step_begins.push_back(steps.step_begins.back() + step + guard);
        steps.step_begins.pop_back();
        return steps;
    }
    Replayed complete(const StepScheme& steps, std::uint64_t size_bytes) const {
        return Platform::complete(
            generate("alltoall/suh_shin", pattern(size_bytes), 1, nullptr, steps));
    }
};

Duration sum(const std::vector<Duration>& times) {
    return std::accumulate(times.begin(), times.end(), Duration{});
}

/// 4096 ranks: 0.928 + 2.426 + 1.92 m us for blocks of m bytes.
TEST(Schemes, ProposedOn4096RanksTakesWhatTheClosedFormSays) {
    const PaperTorus torus(16);
    ASSERT_EQ(torus.times(64).size(), 15u);
    EXPECT_EQ(torus.synchronisation(), 928_ns);
    for (const std::uint64_t size : {8U, 64U}) {
        EXPECT_EQ(sum(torus.times(size)), 2426_ns + static_cast<std::int64_t>(size) * 1920_ns);
    }
    const auto replay = torus.complete(torus.steps(Scheme::kClock, 64), 64);
    const Duration closed_form = 928_ns + 2426_ns + 64 * 1920_ns;
    EXPECT_EQ(replay->virtual_time(), at(closed_form));
    EXPECT_EQ(replay->starts()->missed, 0u);
    EXPECT_EQ(replay->starts()->packets, 4096u * 45);
    std::printf("closed form %lld ps, deviation %lld ps\n", static_cast<long long>(closed_form.ps),
                static_cast<long long>((replay->virtual_time() - at(closed_form)).ps));
}

/// The steps are as long as before; each has a synchronisation of its own.
TEST(Schemes, EveryStepAddsASynchronisationForEachStepButTheFirst) {
    const PaperTorus torus(12);
    const std::size_t steps = torus.times(64).size();
    const auto clock = torus.complete(torus.steps(Scheme::kClock, 64), 64);
    const auto every = torus.complete(torus.steps(Scheme::kEveryStep, 64), 64);
    EXPECT_EQ(every->starts()->synchronisations, steps);
    EXPECT_EQ(every->starts()->largest_skew, 0_ns);
    const Duration start = torus.synchronisation();
    EXPECT_EQ(clock->virtual_time(), at(start + sum(torus.times(64))));
    EXPECT_EQ(every->virtual_time(),
              clock->virtual_time() + static_cast<std::int64_t>(steps - 1) * start);
}

TEST(Schemes, OnlyAtTheStartSynchronisesOnce) {
    const PaperTorus torus(4);
    const auto replay = torus.complete(torus.steps(Scheme::kStart, 64), 64);
    EXPECT_EQ(replay->starts()->synchronisations, 1u);
    EXPECT_EQ(replay->starts()->waits, 0u);
}

/// A clock that runs ahead of the messages: instants are missed, and every message still arrives.
TEST(Schemes, StepsThatAreTooShortAreCounted) {
    const PaperTorus torus(4);
    StepScheme steps = torus.steps(Scheme::kClock, 64);
    for (Duration& begin : steps.step_begins) begin = {begin.ps / 2};
    const auto replay = torus.complete(steps, 64);
    EXPECT_GT(replay->starts()->missed, 0u);
    EXPECT_GT(replay->starts()->largest_lateness, 0_ns);
}

TEST(Schemes, AGuardIsAddedToEachStep) {
    const PaperTorus torus(4);
    const auto plain = torus.complete(torus.steps(Scheme::kClock, 64), 64);
    const auto guarded = torus.complete(torus.steps(Scheme::kClock, 64, 10_ns), 64);
    const auto steps = static_cast<std::int64_t>(torus.times(64).size());
    EXPECT_EQ(guarded->virtual_time(), plain->virtual_time() + (steps - 1) * 10_ns);
}

/// Overheads of the software belong to the time of a step, and so do requests and answers.
TEST(Schemes, StepTimesIncludeTheSoftware) {
    PaperTorus torus(4);
    const std::vector<Duration> plain = torus.times(1);
    torus.parameters.endpoint.send_overhead = 100_ns;
    torus.parameters.endpoint.receive_overhead = 30_ns;
    torus.parameters.endpoint.matching = matching::CostModel::list(7_ns);
    std::vector<Duration> loaded = torus.times(1);
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(loaded[i], plain[i] + 137_ns);
    EXPECT_EQ(torus.complete(torus.steps(Scheme::kClock, 1), 1)->starts()->missed, 0u);
    torus.parameters.endpoint.eager_limit_bytes = 0;
    // Each of the three control messages takes 2 ns more than its way.
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const Duration way = plain[i] - transfer_time(32, 128'000'000'000);
        EXPECT_EQ(torus.times(1)[i], loaded[i] + 3 * (way + 2_ns));
    }
}

TEST(Schemes, EveryPatternEndsUnderEveryScheme) {
    for (const std::string& name : Registry<collectives::Pattern>::instance().names()) {
        collectives::PatternParameters parameters{.ranks = 16, .size_bytes = 100};
        if (name == "alltoall/suh_shin") parameters.dimensions = {4, 4};
        const auto pattern = make_pattern(name, parameters);
        const auto no_time = [](auto, auto, auto) { return Duration{}; };
        std::vector<Duration> times;
        const std::string complaint =
            complaint_of([&] { times = step_times(*pattern, 16, no_time); });
        const bool has_other_steps =
            name.rfind("broadcast/", 0) == 0 || name.rfind("sweep/", 0) == 0;
        EXPECT_EQ(!complaint.empty(), has_other_steps) << name << complaint;
        const Star star(16);
        for (const Scheme scheme : {Scheme::kEveryStep, Scheme::kStart, Scheme::kClock}) {
            if (has_other_steps && scheme != Scheme::kStart) continue;
            StepScheme steps{scheme, std::vector<Duration>(std::max<std::size_t>(1, times.size()))};
            const auto replay = star.replay(generate(name, parameters, 2, nullptr, steps));
            EXPECT_TRUE(replay->is_complete()) << name;
            EXPECT_EQ(replay->starts()->synchronisations,
                      scheme == Scheme::kEveryStep ? 2 * times.size() : 2u)
                << name;
        }
    }
}

}  // namespace
}  // namespace kumi::schedule
