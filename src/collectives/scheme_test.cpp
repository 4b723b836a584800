#include "collectives/scheme.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "collectives/testing/recorded_program.hpp"

namespace kumi::collectives {
namespace {

using namespace literals;
using Kind = RecordedProgram::Kind;
using Kinds = std::vector<std::vector<Kind>>;

const std::vector<Duration> kBegins{0_ns, 10_ns, 25_ns};

/// What is called of a rank that sends in the first and the last of three steps, and ends there if
/// `is_short` is set after the first.
Kinds called(Scheme scheme, bool is_short = false) {
    RecordedProgram recorded(0, 2);
    SchemedProgram program(recorded, scheme, kBegins);
    program.send(1, 8, {}, 0);
    program.next_step();
    if (!is_short) {
        program.next_step();
        program.send(1, 8, {}, 0);
        program.next_step();
    }
    program.finish();
    Kinds kinds;
    for (const auto& step : recorded.steps()) {
        kinds.emplace_back();
        for (const auto& call : step) kinds.back().push_back(call.kind);
    }
    return kinds;
}

constexpr Kind kS = Kind::kSend, kSync = Kind::kSynchronise, kWait = Kind::kWaitUntil;

TEST(Scheme, SynchronisesNeverOrAtTheStartOrBeforeEveryStep) {
    EXPECT_EQ(called(Scheme::kNone), (Kinds{{kS}, {}, {kS}, {}}));
    EXPECT_EQ(called(Scheme::kStart), (Kinds{{kSync, kS}, {}, {kS}, {}}));
    // Also if the rank has nothing to do.
    EXPECT_EQ(called(Scheme::kEveryStep), (Kinds{{kSync, kS}, {kSync}, {kSync, kS}, {}}));
    EXPECT_EQ(called(Scheme::kEveryStep, true), (Kinds{{kSync, kS}, {kSync}, {kSync}}));
}

TEST(Scheme, ByTheClockFromTheSecondStepOn) {
    EXPECT_EQ(called(Scheme::kClock), (Kinds{{kSync, kS}, {}, {kWait, kS}, {}}));
    RecordedProgram recorded(0, 2);
    SchemedProgram program(recorded, Scheme::kClock, kBegins);
    for (int step = 0; step < 3; ++step) {
        program.receive(1, 8, {}, 0);
        program.send(1, 8, {}, 0);
        program.next_step();
    }
    EXPECT_EQ(recorded.steps()[1][0].after_start, 10_ns);
    EXPECT_EQ(recorded.steps()[2][0].after_start, 25_ns);
    EXPECT_EQ(recorded.steps()[2].size(), 3u);
}

TEST(Scheme, AfterACommonStartThatWasTheFirstStepWaitsToo) {
    RecordedProgram recorded(0, 2);
    const std::vector<Duration> begins{40_ns, 50_ns};
    SchemedProgram program(recorded, begins);
    for (int step = 0; step < 2; ++step) {
        program.send(1, 8, {}, 0);
        program.next_step();
    }
    ASSERT_EQ(recorded.steps()[0].size(), 2u);
    EXPECT_EQ(recorded.steps()[0][0].after_start, 40_ns);
    EXPECT_EQ(recorded.steps()[1][0].after_start, 50_ns);
}

}  // namespace
}  // namespace kumi::collectives
