// Algorithms over a sink that is no schedule. What patterns promise is tested in schedule/, where
// they are executed.
#include "collectives/patterns/pattern.hpp"

#include <gtest/gtest.h>

#include "collectives/testing/recorded_program.hpp"

namespace kumi::collectives {
namespace {

using Call = RecordedProgram::Call;
using Kind = RecordedProgram::Kind;

std::unique_ptr<Pattern> make(const char* name, const PatternParameters& parameters) {
    return Registry<Pattern>::instance().make(name, parameters);
}

TEST(Pattern, AlgorithmsCallTheSinkStepByStep) {
    PatternParameters parameters{.ranks = 3, .size_bytes = 10};
    RecordedProgram program(1, 3);
    make("allgather/ring", parameters)->write(program);
    const std::vector<std::vector<Call>> wanted{
        {{Kind::kReceive, 0, 10, {0}}, {Kind::kSend, 2, 10, {1}}},
        {{Kind::kReceive, 0, 10, {2}}, {Kind::kSend, 2, 10, {0}}},
        {}};
    EXPECT_EQ(program.steps(), wanted);
}

TEST(Pattern, ReductionsAddWhatTheyReceive) {
    PatternParameters parameters{.ranks = 2, .size_bytes = 10};
    RecordedProgram program(0, 2);
    make("allreduce/recursive_doubling", parameters)->write(program);
    const std::vector<Call> wanted{{Kind::kReceiveAndAdd, 1, 10, {0}}, {Kind::kSend, 1, 10, {0}}};
    std::size_t exchanges = 0;
    for (const auto& step : program.steps()) exchanges += step == wanted ? 1 : 0;
    EXPECT_EQ(exchanges, 1u);
}

TEST(Pattern, BlocksThatAreNotWantedMayBeLeftOut) {
    PatternParameters parameters{.ranks = 8};
    RecordedProgram program(3, 8, false);
    make("barrier/dissemination", parameters)->write(program);
    for (const auto& step : program.steps()) {
        for (const Call& call : step) EXPECT_TRUE(call.blocks.empty());
    }
}

TEST(Pattern, ImpossibleParametersAreReportedNotThrown) {
    PatternParameters parameters{.ranks = 12};
    EXPECT_EQ(make("halo/2d", parameters)->problem(), "");
    parameters.dimensions = {3, 5};
    for (const char* name : {"halo/2d", "sweep/2d"}) {
        EXPECT_EQ(make(name, parameters)->problem(),
                  "the grid needs 2 dimensions, whose product is the number of ranks, 12");
    }
    parameters.dimensions = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    EXPECT_NE(make("halo/3d", parameters)->problem(), "");
}

}  // namespace
}  // namespace kumi::collectives
