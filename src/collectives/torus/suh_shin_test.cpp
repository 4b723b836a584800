// The steps of Suh and Shin's all-to-all by themselves; schedule/check follows them over networks.
#include "collectives/torus/suh_shin.hpp"

#include <gtest/gtest.h>

#include "collectives/patterns/pattern.hpp"
#include "collectives/testing/recorded_program.hpp"

namespace kumi::collectives {
namespace {

using Sides = std::vector<std::uint32_t>;

std::string problem_of(const Sides& sides, std::uint32_t ranks) {
    return SuhShinSteps::problem(sides, ranks);
}

TEST(SuhShin, ShapesThatItCannotDoAreReportedWithOthersThatCan) {
    EXPECT_EQ(problem_of({8, 12}, 96), "");
    EXPECT_EQ(problem_of({4, 4, 4, 4}, 256), "");
    for (const Sides& sides : {Sides{}, Sides{16}, Sides{4, 6}, Sides{4, 0}, Sides{2, 8}}) {
        EXPECT_NE(problem_of(sides, 16).find("alltoall/pairwise"), std::string::npos);
    }
    EXPECT_NE(problem_of({4, 6}, 24).find("each a multiple of 4, such as 8x12, not 4x6"),
              std::string::npos);
    EXPECT_EQ(problem_of({4, 8}, 16), "the dimensions 4x8 are those of 32 ranks, not of 16");
    EXPECT_NE(problem_of({1U << 31, 1U << 31, 1U << 31}, 16).find("too many ranks"),
              std::string::npos);
}

TEST(SuhShin, StepsOf16CubedCarryTheBlocksOfThePaper) {
    const SuhShinSteps plan(RankTorus({16, 16, 16}));
    const std::vector<std::uint64_t> wanted{3072, 2048, 1024, 3072, 2048, 1024, 3072, 2048,
                                            1024, 2048, 2048, 2048, 2048, 2048, 2048};
    ASSERT_EQ(plan.steps(), wanted.size());
    for (const std::uint32_t rank : {0U, 1U, 17U, 4095U}) {
        for (std::uint32_t step = 0; step < plan.steps(); ++step) {
            EXPECT_EQ(plan.move(rank, step).blocks, wanted[step]);
        }
    }
    EXPECT_EQ(plan.blocks(17, 1).size(), 2048u);
    EXPECT_EQ(plan.blocks(4095, 14).size(), 2048u);
}

TEST(SuhShin, RanksAtShorterRingsLeaveOutSteps) {
    const SuhShinSteps plan(RankTorus({8, 12}));
    // Two steps for each of both rings, as the longer one needs, and two twice in the submesh.
    EXPECT_EQ(plan.steps(), 8u);
    for (std::uint32_t rank = 0; rank < 96; ++rank) {
        std::uint32_t left_out = 0;
        for (std::uint32_t step = 0; step < 4; ++step) {
            left_out += plan.move(rank, step).distance == 0 ? 1 : 0;
        }
        EXPECT_EQ(left_out, 1u);
    }
}

TEST(SuhShin, ThePatternCallsTheSinkStepByStep) {
    PatternParameters parameters{.ranks = 16, .size_bytes = 3, .dimensions = {4, 4}};
    const auto pattern = Registry<Pattern>::instance().make("alltoall/suh_shin", parameters);
    for (const bool wants_blocks : {true, false}) {
        RecordedProgram program(5, 16, wants_blocks);
        pattern->write(program);
        ASSERT_EQ(program.steps().size(), 5u);
        EXPECT_TRUE(program.steps().back().empty());
        for (std::size_t step = 0; step < 4; ++step) {
            ASSERT_EQ(program.steps()[step].size(), 2u);
            for (const auto& call : program.steps()[step]) {
                EXPECT_EQ(call.size_bytes, 8u * 3);
                EXPECT_EQ(call.blocks.size(), wants_blocks ? 8u : 0u);
            }
        }
    }
}

}  // namespace
}  // namespace kumi::collectives
