// Suh and Shin's all-to-all over tori as the network routes them, and checks that must fail.
#include <memory>
#include <numeric>

#include "base/rank_torus.hpp"
#include "network/topology/topology.hpp"
#include "schedule/check/delivery.hpp"
#include "schedule/check/step_check.hpp"
#include "schedule/patterns/patterns.hpp"
#include "schedule/testing/schedules_under_test.hpp"

namespace kumi::schedule {
namespace {

using Sides = std::vector<std::uint32_t>;

/// A torus with a host for each rank, in the order of ranks.
struct TorusNetwork {
    explicit TorusNetwork(const Sides& sides, std::uint64_t halfway_run = 2)
        : topology(network::make_topology(
              {"torus",
               {{"sizes", network::Numbers(std::vector<std::uint64_t>(sides.begin(), sides.end()))},
                {"hosts_per_switch", 1},
                {"halfway_run", halfway_run}},
               {8'000'000'000, {}}})),
          fabric(topology->describe()),
          hosts(fabric.hosts) {
        std::iota(hosts.begin(), hosts.end(), 0U);
    }
    StepCheck check(const std::vector<StepMessage>& messages) const {
        return check_steps(messages, *topology, fabric, hosts);
    }

    std::unique_ptr<network::Topology> topology;
    network::FabricDescription fabric;
    std::vector<network::HostId> hosts;
};

std::unique_ptr<collectives::Pattern> suh_shin(const Sides& sides) {
    collectives::PatternParameters parameters{
        .ranks = RankTorus(sides).ranks(), .size_bytes = 1, .dimensions = sides};
    return make_pattern("alltoall/suh_shin", parameters);
}

class SuhShinOnTori : public testing::TestWithParam<Sides> {};

TEST_P(SuhShinOnTori, NoLinkIsUsedTwiceInAStepAndTotalsAreThoseOfTheFormulas) {
    const Sides& sides = GetParam();
    const TorusNetwork network(sides);
    const std::uint32_t ranks = network.fabric.hosts;
    const auto pattern = suh_shin(sides);
    const StepCheck check = network.check(messages_of(*pattern, ranks));
    EXPECT_EQ(check.shared_links, 0u);
    EXPECT_EQ(check.messages, pattern->messages(ranks));
    // On a^n: n (a / 4 + 1), n N (a + 4) / 8 and n (a - 1).
    StepTotals wanted;
    for (const std::uint32_t side : sides) {
        wanted.startups += side / 4 + 1;
        wanted.size_bytes += std::uint64_t{ranks} * (side + 4) / 8;
        wanted.hops += side - 1;
    }
    for (const StepTotals& totals : check.ranks) EXPECT_EQ(totals, wanted);
}

TEST_P(SuhShinOnTori, EveryRankSendsAndReceivesOneMessageInAStep) {
    const std::uint32_t ranks = RankTorus(GetParam()).ranks();
    std::vector<std::uint32_t> sent(ranks, UINT32_MAX), received(ranks, UINT32_MAX);
    for (const StepMessage& message : messages_of(*suh_shin(GetParam()), ranks)) {
        EXPECT_NE(sent[message.source], message.step);
        EXPECT_NE(received[message.target], message.step);
        sent[message.source] = received[message.target] = message.step;
    }
}

TEST_P(SuhShinOnTori, EveryBlockReachesItsTarget) {
    const std::uint32_t ranks = RankTorus(GetParam()).ranks();
    const Delivery delivery = check_delivery(*suh_shin(GetParam()), ranks);
    EXPECT_EQ(delivery.wrong, 0u) << delivery.first_wrong;
    EXPECT_EQ(delivery.blocks, std::uint64_t{ranks} * ranks);
}

INSTANTIATE_TEST_SUITE_P(Sides, SuhShinOnTori,
                         testing::Values(Sides{4, 4}, Sides{8, 8}, Sides{8, 12}, Sides{12, 4, 8},
                                         Sides{4, 4, 4}, Sides{8, 8, 8}, Sides{16, 16, 16},
                                         Sides{4, 4, 4, 4}),
                         [](const auto& test) { return "Torus" + sides_text(test.param); });

TEST(StepCheck, RingsOf8NeedBothDirectionsForHalfwayMessages) {
    const auto messages = messages_of(*suh_shin({8, 8}), 64);
    EXPECT_GT(TorusNetwork({8, 8}, 0).check(messages).shared_links, 0u);
    EXPECT_EQ(TorusNetwork({8, 8}, 2).check(messages).shared_links, 0u);
}

TEST(StepCheck, ASharedLinkIsNamedWithItsStepAndMessages) {
    const TorusNetwork network({5, 1});
    // Both first messages go from switch 1 to switch 2; the one of the next step may as well.
    const Schedule schedule = goal(
        "num_ranks 5 rank 0 { send 8b to 2 } "
        "rank 1 { a: send 8b to 2 tag 1 b: send 8b to 2 tag 2 b requires a } "
        "rank 2 { recv 8b from 0 recv 8b from 1 tag 1 recv 8b from 1 tag 2 }");
    const StepCheck check = network.check(messages_of(schedule));
    EXPECT_EQ(check.steps, 2u);
    EXPECT_EQ(check.messages, 3u);
    // The link between the switches, and the one to host 2.
    EXPECT_EQ(check.shared_links, 2u);
    ASSERT_TRUE(check.first_shared);
    EXPECT_EQ(check.first_shared->step, 0u);
    EXPECT_EQ(check.first_shared->first, (std::pair{0U, 2U}));
    EXPECT_EQ(check.first_shared->second, (std::pair{1U, 2U}));
    EXPECT_EQ(check.ranks[0], (StepTotals{1, 8, 2}));
    EXPECT_EQ(check.ranks[1], (StepTotals{2, 16, 2}));
}

TEST(StepCheck, StepsOfAScheduleAreThoseOfItsPattern) {
    collectives::PatternParameters parameters{
        .ranks = 64, .size_bytes = 1, .dimensions = {4, 4, 4}};
    const auto by_schedule = messages_of(generate("alltoall/suh_shin", parameters));
    const auto by_pattern = messages_of(*suh_shin({4, 4, 4}), 64);
    ASSERT_EQ(by_schedule.size(), by_pattern.size());
    for (std::size_t i = 0; i < by_schedule.size(); ++i) {
        EXPECT_EQ(by_schedule[i].step, by_pattern[i].step);
        EXPECT_EQ(by_schedule[i].target, by_pattern[i].target);
    }
}

TEST(StepCheck, ComputingIsNoStepAndStartsDoNotWait) {
    const auto messages =
        messages_of(goal("num_ranks 2 rank 0 { c: calc 5 a: send 1b to 1 b: send 1b to 1 "
                         "a requires c b irequires a } rank 1 { recv 1b from 0 recv 1b from 0 }"));
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].step, 0u);
    EXPECT_EQ(messages[1].step, 0u);
}

/// An all-to-all of two ranks that goes wrong as `fault` says.
struct Faulty final : collectives::Pattern {
    enum class Fault { kNone, kSendsWhatItLacks, kExpectsOther, kKeepsAll, kSendsTwice };
    explicit Faulty(Fault wrong) : fault(wrong) {}
    std::uint64_t messages(std::uint64_t) const override { return 2; }
    void write(collectives::RankProgram& program) const override {
        if (fault == Fault::kKeepsAll) return;
        const collectives::BlockId other = 1 - program.rank();
        const collectives::BlockId own = program.rank();
        const collectives::BlockId sent =
            fault == Fault::kSendsWhatItLacks ? other * 2 + own : own * 2 + other;
        const collectives::BlockId received =
            fault == Fault::kExpectsOther ? own * 2 + own : other * 2 + own;
        const std::vector<collectives::BlockId> carried(fault == Fault::kSendsTwice ? 2 : 1, sent);
        program.send(static_cast<std::uint32_t>(other), carried.size(), carried);
        program.receive(static_cast<std::uint32_t>(other), 1, {&received, 1});
    }
    Fault fault;
};

TEST(Delivery, WhatGoesWrongIsNamed) {
    using Fault = Faulty::Fault;
    const auto first_wrong = [](Fault fault) {
        return check_delivery(Faulty(fault), 2).first_wrong;
    };
    EXPECT_EQ(first_wrong(Fault::kNone), "");
    EXPECT_EQ(first_wrong(Fault::kSendsWhatItLacks),
              "in step 1, rank 0 sends the block of rank 1 for rank 0 without holding it");
    EXPECT_EQ(first_wrong(Fault::kExpectsOther),
              "in step 1, rank 0 expects the block of rank 0 for rank 0, which it is not sent");
    EXPECT_EQ(first_wrong(Fault::kKeepsAll), "the block of rank 0 for rank 1 ends at rank 0");
    EXPECT_EQ(first_wrong(Fault::kSendsTwice), "in step 1, 4 blocks are sent and 2 are expected");
}

TEST(Delivery, AlltoallsOfAllAlgorithmsDeliver) {
    for (const char* name : {"alltoall/pairwise", "alltoall/linear", "alltoall/bruck"}) {
        collectives::PatternParameters parameters{.ranks = 13, .size_bytes = 1};
        const Delivery delivery = check_delivery(*make_pattern(name, parameters), 13);
        EXPECT_EQ(delivery.wrong, 0u) << name << ": " << delivery.first_wrong;
    }
}

}  // namespace
}  // namespace kumi::schedule
