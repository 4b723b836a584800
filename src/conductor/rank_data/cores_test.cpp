#include "conductor/rank_data/cores.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

#include "conductor/process/compute_forecast.hpp"

namespace kumi::conductor {
namespace {

TEST(Cores, AreOneAtFirst) {
    Cores cores;
    EXPECT_FALSE(cores.several());
    EXPECT_EQ(cores.take(0), 0U);
    EXPECT_FALSE(cores.has_free());
    cores.free(0);
    EXPECT_TRUE(cores.has_free());
}

TEST(Cores, TheOneWishedForIsTakenIfItIsFree) {
    Cores cores;
    cores.use(std::vector<int>(3, Cores::kAnywhere));
    EXPECT_TRUE(cores.several());
    EXPECT_EQ(cores.take(1), 1U);
    EXPECT_EQ(cores.take(1), 0U);
    EXPECT_EQ(cores.take(1), 2U);
    EXPECT_FALSE(cores.has_free());
    cores.free(1);
    EXPECT_EQ(cores.take(2), 1U);
}

TEST(Cores, ProcessesShareThemAtTheStart) {
    Cores cores;
    EXPECT_EQ(cores.first_of(3), 0U);
    cores.use(std::vector<int>(2, Cores::kAnywhere));
    EXPECT_EQ(cores.first_of(2), 0U);
    EXPECT_EQ(cores.first_of(3), 1U);
}

TEST(Cores, OfManyTheFirstAreUsed) {
    Cores cores;
    cores.use(std::vector<int>(100, Cores::kAnywhere));
    for (std::uint32_t core = 0; core < Cores::kMost; ++core) EXPECT_EQ(cores.take(core), core);
    EXPECT_FALSE(cores.has_free());
}

TEST(Cores, AProcessIsPinnedToTheCoreItMovesTo) {
    cpu_set_t mine;
    ASSERT_EQ(::sched_getaffinity(0, sizeof mine, &mine), 0);
    int last = 0;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &mine)) last = core;
    const std::vector<int> numbers{Cores::kAnywhere, last};
    Cores cores;
    cores.use(numbers);
    const pid_t child = ::fork();
    if (child == 0) {
        for (;;) ::pause();
    }
    cores.move(child, 0, 1);
    cpu_set_t set;
    ASSERT_EQ(::sched_getaffinity(child, sizeof set, &set), 0);
    EXPECT_EQ(CPU_COUNT(&set), 1);
    EXPECT_TRUE(CPU_ISSET(last, &set));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

TEST(ComputeForecast, ExpectsWhatFollowedEarlierCallsWithThatOutcome) {
    using std::chrono::milliseconds;
    ComputeForecast forecast;
    EXPECT_GT(forecast.leave_ns("MPI_Test", true), 1'000'000'000) << "nothing is known";
    for (int i = 0; i < 2; ++i) {
        std::this_thread::sleep_for(milliseconds(20));
        forecast.enter(1);
        forecast.leave_ns("MPI_Test", false);
        forecast.enter(1);
        EXPECT_GT(forecast.leave_ns("MPI_Test", true), 50'000);
    }
    forecast.enter(1);
    EXPECT_LT(forecast.leave_ns("MPI_Test", false), 200'000);
    forecast.enter(1);
    EXPECT_GT(forecast.leave_ns("MPI_Wait", true), 1'000'000'000) << "nothing of this call";
    forecast.enter(1);
    EXPECT_LT(forecast.leave_ns("MPI_Wait", true), 50'000);
}

TEST(ComputeForecast, SaysWhatIsComputedAtLongStretches) {
    using std::chrono::milliseconds;
    ComputeForecast forecast;
    std::int64_t long_ns = 0;
    std::int64_t longer_ns = 0;
    for (int i = 0; i < 40; ++i) {
        forecast.leave_ns("MPI_Test", true);
        std::this_thread::sleep_for(milliseconds(1));
        long_ns += forecast.enter(1'000'000);
        forecast.leave_ns("MPI_Test", false);
        longer_ns += forecast.enter(1'000'000);
    }
    EXPECT_GE(long_ns, 20'000'000) << "of 40 ms";
    EXPECT_LT(longer_ns, 20'000'000) << "of nothing, but for other programs";
}

TEST(Cores, OneMayBeEnough) {
    Cores cores;
    cores.use(std::vector<int>(3, Cores::kAnywhere));
    cores.take(0);
    EXPECT_FALSE(cores.is_alone());
    cores.take(2);
    EXPECT_FALSE(cores.has_too_many());
    cores.keep_to_one(true);
    EXPECT_TRUE(cores.has_too_many());
    EXPECT_FALSE(cores.has_free());
    cores.free(0);
    EXPECT_TRUE(cores.is_alone());
    EXPECT_FALSE(cores.has_free());
    cores.keep_to_one(false);
    EXPECT_FALSE(cores.is_alone());
    EXPECT_TRUE(cores.has_free());
}

TEST(Cores, AFreeOneHasAWatcherUntilItIsTaken) {
    Cores cores;
    cores.use(std::vector<int>(2, Cores::kAnywhere));
    EXPECT_EQ(cores.take(0), 0U);
    EXPECT_EQ(cores.find_unwatched(), 1U);
    cores.watch(1, 5);
    EXPECT_TRUE(cores.is_watched_by(1, 5));
    EXPECT_FALSE(cores.is_watched_by(1, 4));
    EXPECT_EQ(cores.find_unwatched(), Cores::kMost);
    EXPECT_EQ(cores.take(0), 1U);
    EXPECT_FALSE(cores.is_watched_by(1, 5));
    cores.free(1);
    EXPECT_EQ(cores.find_unwatched(), 1U);
    cores.watch(1, 6);
    cores.stop_watching(1, 5);
    EXPECT_TRUE(cores.is_watched_by(1, 6));
    cores.stop_watching(1, 6);
    EXPECT_EQ(cores.find_unwatched(), 1U);
}

}  // namespace
}  // namespace kumi::conductor
