// Every pattern is executed on sets: each rank ends with what the pattern promises.
#include <algorithm>
#include <ranges>
#include <set>
#include <string>
#include <tuple>

#include "collectives/patterns/grid.hpp"
#include "schedule/testing/symbolic_run.hpp"

namespace kumi::schedule {
namespace {

using Contributors = SymbolicRun::Contributors;

struct Case {
    const char* pattern;
    std::uint32_t ranks;
};

Contributors all_of(std::uint32_t ranks) {
    const auto all = std::views::iota(0U, ranks);
    return {all.begin(), all.end()};
}

constexpr std::uint32_t kRoot = 1;

collectives::PatternParameters parameters_of(const Case& test) {
    return {.ranks = test.ranks,
            .size_bytes = 1003,
            .root = kRoot % test.ranks,
            .distance = 2,
            .seed = 7};
}

/// What a rank has in the beginning, and must have in the end, of one block.
class Promise {
   public:
    explicit Promise(const Case& test) : x_ranks(test.ranks), x_kind(kind_of(test.pattern)) {}

    Contributors first(std::uint32_t rank, collectives::BlockId block) const {
        const bool is_own = x_kind == "alltoall" ? block / x_ranks == rank : block == rank;
        if (x_kind == "broadcast") return rank == root() ? Contributors{rank} : Contributors{};
        if (is_reduction()) return {rank};
        return is_own ? Contributors{rank} : Contributors{};
    }

    void check(const SymbolicRun& run, std::uint32_t rank) const {
        const auto expect = [&](collectives::BlockId block, const Contributors& wanted) {
            EXPECT_EQ(run.contributors(rank, block), wanted)
                << "rank " << rank << " block " << block;
        };
        if (x_kind == "reduce_scatter") return expect(rank, all_of(x_ranks));
        if (x_kind == "allreduce" || x_kind == "broadcast") {
            const Contributors wanted = is_reduction() ? all_of(x_ranks) : Contributors{root()};
            for (const collectives::BlockId part : run.blocks()) expect(part, wanted);
            return;
        }
        for (std::uint32_t other = 0; other < x_ranks; ++other) {
            expect(x_kind == "alltoall" ? other * x_ranks + rank : other, {other});
        }
    }

   private:
    static std::string kind_of(const std::string& name) { return name.substr(0, name.find('/')); }
    bool is_reduction() const { return x_kind == "allreduce" || x_kind == "reduce_scatter"; }
    std::uint32_t root() const { return kRoot % x_ranks; }

    std::uint32_t x_ranks;
    std::string x_kind;
};

void expect_promise(const Case& test, const collectives::PatternParameters& parameters) {
    const Promise promise(test);
    for (const std::uint64_t order : {1, 2, 3}) {
        SymbolicRun run(test.pattern, parameters,
                        [&](std::uint32_t rank, collectives::BlockId block) {
                            return promise.first(rank, block);
                        });
        run.execute(order);
        for (std::uint32_t rank = 0; rank < test.ranks; ++rank) promise.check(run, rank);
    }
}

class Collectives : public testing::TestWithParam<std::tuple<const char*, std::uint32_t>> {};

TEST_P(Collectives, EveryRankEndsWithWhatIsPromised) {
    const Case test{std::get<0>(GetParam()), std::get<1>(GetParam())};
    expect_promise(test, parameters_of(test));
}

TEST(SuhShin, EveryRankEndsWithWhatIsPromised) {
    for (const std::uint32_t side : {4U, 8U, 12U}) {
        const Case test{"alltoall/suh_shin", 4 * side};
        collectives::PatternParameters parameters = parameters_of(test);
        parameters.dimensions = {4, side};
        expect_promise(test, parameters);
    }
}

std::uint64_t sends_of(const Schedule& schedule) {
    std::uint64_t sends = 0;
    for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
        sends += static_cast<std::uint64_t>(std::ranges::count(
            schedule.operations_of(rank), OperationKind::kSend, &Operation::kind));
    }
    return sends;
}

TEST(Patterns, FormulasSayHowManyMessagesThereAre) {
    for (const std::string& name : Registry<collectives::Pattern>::instance().names()) {
        for (const std::uint32_t ranks : {1U, 2U, 3U, 5U, 8U, 12U, 17U, 30U}) {
            const collectives::PatternParameters parameters = parameters_of({name.c_str(), ranks});
            const auto pattern = Registry<collectives::Pattern>::instance().make(name, parameters);
            // alltoall/suh_shin needs a torus: check/check_test.cpp.
            if (!pattern->problem().empty()) continue;
            EXPECT_EQ(pattern->messages(ranks), sends_of(generate(name, parameters)))
                << name << " with " << ranks << " ranks";
        }
    }
}

TEST(Patterns, WhatIsTooLargeIsRefusedAtOnce) {
    collectives::PatternParameters parameters{.ranks = 100'000};
    EXPECT_TRUE(says(complaint_of([&] { generate("alltoall/pairwise", parameters); }),
                     "at least 19999800000 operations"));
    parameters.ranks = 1 << 20;
    EXPECT_TRUE(says(complaint_of([&] { generate("halo/3d", parameters, 1 << 30); }),
                     "at least 13510798882111488 operations"));
}

INSTANTIATE_TEST_SUITE_P(
    All, Collectives,
    testing::Combine(testing::Values("alltoall/pairwise", "alltoall/linear", "alltoall/bruck",
                                     "allgather/ring", "allgather/recursive_doubling",
                                     "reduce_scatter/ring", "reduce_scatter/recursive_halving",
                                     "allreduce/ring", "allreduce/recursive_doubling",
                                     "allreduce/rabenseifner", "broadcast/binomial",
                                     "broadcast/scatter_allgather", "barrier/dissemination"),
                     testing::Values(1, 2, 3, 4, 5, 7, 8, 12, 16, 17)));

using Blocks = std::set<collectives::BlockId>;

/// The blocks that a rank has got in the end, besides those it began with.
Blocks received_blocks(const char* pattern, const collectives::PatternParameters& parameters,
                       std::uint32_t rank, collectives::BlockId blocks_of_rank) {
    SymbolicRun run(pattern, parameters, [&](std::uint32_t owner, collectives::BlockId block) {
        return block / blocks_of_rank == owner ? Contributors{owner} : Contributors{};
    });
    run.execute(1);
    Blocks found;
    for (const collectives::BlockId block : run.blocks()) {
        if (block / blocks_of_rank != rank && !run.contributors(rank, block).empty()) {
            found.insert(block);
        }
    }
    return found;
}

TEST(Patterns, HaloBringsTheFacesOfAllNeighbours) {
    collectives::PatternParameters parameters{.ranks = 12, .dimensions = {3, 4}};
    // Rank 5 is at (1, 1): faces go forward along axis 0 with tag 0, backward 1, axis 1: 2 and 3.
    EXPECT_EQ(received_blocks("halo/2d", parameters, 5, 4),
              (Blocks{1 * 4 + 0, 9 * 4 + 1, 4 * 4 + 2, 6 * 4 + 3}));
    parameters.ranks = 2 * 3 * 4;
    parameters.dimensions = {2, 3, 4};
    // Rank 0's neighbours: 12 twice; 8 and 4; 3 and 1.
    EXPECT_EQ(received_blocks("halo/3d", parameters, 0, 6),
              (Blocks{12 * 6 + 0, 12 * 6 + 1, 8 * 6 + 2, 4 * 6 + 3, 3 * 6 + 4, 1 * 6 + 5}));
}

TEST(Patterns, SweepReachesEveryRankAfterAllBeforeIt) {
    collectives::PatternParameters parameters{.ranks = 12, .dimensions = {3, 4}};
    EXPECT_EQ(received_blocks("sweep/2d", parameters, 6, 1), (Blocks{0, 1, 2, 4, 5}));
    EXPECT_EQ(received_blocks("sweep/2d", parameters, 0, 1), Blocks{});
    EXPECT_EQ(received_blocks("sweep/2d", parameters, 11, 1).size(), 11u);
}

TEST(Patterns, IncastAndShiftBringWhatTheySay) {
    collectives::PatternParameters parameters{.ranks = 5, .root = 2};
    EXPECT_EQ(received_blocks("incast", parameters, 2, 1), (Blocks{0, 1, 3, 4}));
    EXPECT_TRUE(received_blocks("incast", parameters, 0, 1).empty());
    parameters.distance = 7;
    EXPECT_EQ(received_blocks("shift", parameters, 1, 1), Blocks{4});
}

TEST(Patterns, APermutationGivesEachRankOneOther) {
    for (const std::uint64_t seed : {0, 1, 2}) {
        collectives::PatternParameters parameters{.ranks = 9, .seed = seed};
        Blocks sources;
        for (std::uint32_t rank = 0; rank < parameters.ranks; ++rank) {
            const auto found = received_blocks("permutation", parameters, rank, 1);
            ASSERT_EQ(found.size(), 1u);
            sources.insert(*found.begin());
        }
        EXPECT_EQ(sources.size(), parameters.ranks);
        EXPECT_EQ(generate("permutation", parameters), generate("permutation", parameters));
        parameters.seed = seed + 1;
        const Schedule other = generate("permutation", parameters);
        parameters.seed = seed;
        EXPECT_NE(other, generate("permutation", parameters));
    }
}

TEST(Patterns, GridsAreAsEqualAsCanBe) {
    collectives::PatternParameters parameters{.ranks = 60};
    const collectives::RankGrid grid(parameters, 3);
    EXPECT_EQ(grid.length(0), 5u);
    EXPECT_EQ(grid.length(1), 4u);
    EXPECT_EQ(grid.length(2), 3u);
    parameters.dimensions = {30, 3};
    EXPECT_NE(complaint_of([&] { generate("halo/2d", parameters); }), "");
}

TEST(Patterns, UnknownNamesAreRefused) {
    EXPECT_TRUE(says(complaint_of([] { find_pattern("alltoal"); }), "alltoall/bruck"));
    EXPECT_EQ(find_pattern("alltoall"), "alltoall/pairwise");
    EXPECT_EQ(find_pattern("barrier"), "barrier/dissemination");
}

TEST(Patterns, ComputingComesBeforeEveryIteration) {
    collectives::PatternParameters parameters{.ranks = 2, .compute = {5}};
    const Schedule schedule = generate("shift", parameters, 3);
    EXPECT_EQ(schedule.operations_of(0).size(), 9u);
    EXPECT_EQ(schedule.dependences(), 2u * (3 * 2 + 2 * 2));
}

}  // namespace
}  // namespace kumi::schedule
