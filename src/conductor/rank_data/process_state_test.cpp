#include "conductor/rank_data/process_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>

namespace kumi::conductor {
namespace {

using State = ProcessState;
using Step = std::pair<State, State>;

constexpr std::array kStates{State::kRuns, State::kReady, State::kAwaitsRequests,
                             State::kAwaitsTime};

/// A process that has come to `state` by legal steps.
CurrentProcessState process_in(State state) {
    CurrentProcessState process;
    if (state != State::kRuns) process.enter(state);
    return process;
}

constexpr std::array kLegalSteps{
    Step{State::kRuns, State::kRuns},             // It let others catch up.
    Step{State::kRuns, State::kReady},            // Virtual time begins.
    Step{State::kRuns, State::kAwaitsRequests},   // It waits.
    Step{State::kRuns, State::kAwaitsTime},       // It must know a time.
    Step{State::kReady, State::kRuns},            // It has got the baton.
    Step{State::kAwaitsRequests, State::kReady},  // The last request has become certain.
    Step{State::kAwaitsRequests, State::kRuns},   // Its rank has the requests.
    Step{State::kAwaitsTime, State::kRuns},       // Its stream has been carried out.
};

constexpr std::array kIllegalSteps{
    Step{State::kReady, State::kReady},  // It would be among those that are ready twice.
    Step{State::kReady, State::kAwaitsRequests},
    Step{State::kReady, State::kAwaitsTime},
    Step{State::kAwaitsRequests, State::kAwaitsRequests},
    Step{State::kAwaitsRequests, State::kAwaitsTime},
    Step{State::kAwaitsTime, State::kReady},  // No request makes its clock certain.
    Step{State::kAwaitsTime, State::kAwaitsRequests},
    Step{State::kAwaitsTime, State::kAwaitsTime},
};

TEST(ProcessState, EachStepIsLegalOrIllegal) {
    for (const State from : kStates)
        for (const State to : kStates)
            EXPECT_EQ(std::ranges::count(kLegalSteps, Step(from, to)) +
                          std::ranges::count(kIllegalSteps, Step(from, to)),
                      1);
}

TEST(ProcessState, NoStepFromOrToWhatIsNoStateIsLegal) {
    for (const int damaged : {4, 255}) {
        EXPECT_FALSE(CurrentProcessState::is_legal(static_cast<State>(damaged), State::kRuns));
        EXPECT_FALSE(CurrentProcessState::is_legal(State::kRuns, static_cast<State>(damaged)));
    }
}

TEST(ProcessState, ALegalStepIsTaken) {
    for (const auto& [from, to] : kLegalSteps) {
        CurrentProcessState process = process_in(from);
        process.enter(to);
        EXPECT_EQ(process, to);
    }
}

TEST(ProcessStateDeathTest, AnIllegalStepEndsTheProcess) {
    for (const auto& [from, to] : kIllegalSteps) {
        CurrentProcessState process = process_in(from);
        EXPECT_DEATH(process.enter(to), "enters a state that it cannot");
    }
}

}  // namespace
}  // namespace kumi::conductor
