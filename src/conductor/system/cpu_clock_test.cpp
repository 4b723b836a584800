// What one process sees of the CPU time of another.

#include "conductor/system/cpu_clock.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <thread>

#include "conductor/testing/child_process.hpp"

namespace kumi::conductor {
namespace {

/// A process of which one thread computes: the only one, or a second one.
class CpuClock : public testing::TestWithParam<bool> {
   protected:
    CpuClock() {
        x_process = ::fork();
        if (x_process == 0) compute(GetParam(), *x_thread);
        while (*x_thread == 0) std::this_thread::yield();
    }
    ~CpuClock() override {
        ::kill(x_process, SIGKILL);
        ::waitpid(x_process, nullptr, 0);
    }

    std::int64_t read_ns() const {
        std::int64_t time_ns = 0;
        EXPECT_TRUE(read_cpu_clock(x_process, GetParam() ? x_thread->load() : 0, time_ns));
        return time_ns;
    }
    pid_t process() const { return x_process; }
    pid_t thread() const { return *x_thread; }

   private:
    using Number = std::atomic<pid_t>;

    [[noreturn]] static void compute(bool in_thread, Number& thread) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        const sched_param none{};
        ::sched_setscheduler(0, SCHED_BATCH, &none);
        const auto spin = [&thread] {
            for (thread = ::gettid();;) asm volatile("");
        };
        if (!in_thread) spin();
        std::thread(spin).join();
        ::_exit(1);
    }

    std::shared_ptr<Number> x_thread = make_common<Number>();
    pid_t x_process = 0;
};

INSTANTIATE_TEST_SUITE_P(OfOthers, CpuClock, testing::Bool(),
                         [](const auto& about) { return about.param ? "Thread" : "Process"; });

/// At ticks it would be in steps of a millisecond or more.
TEST_P(CpuClock, IsUpToDateWhileTheOtherComputes) {
    int small_steps = 0;
    std::int64_t before_ns = read_ns();
    for (int turn = 0; turn < 10'000 && small_steps < 20; ++turn) {
        ::usleep(200);
        const std::int64_t now_ns = read_ns();
        ASSERT_GE(now_ns, before_ns);
        small_steps += now_ns > before_ns && now_ns < before_ns + 800'000 ? 1 : 0;
        before_ns = now_ns;
    }
    EXPECT_EQ(small_steps, 20);
}

TEST_P(CpuClock, LeavesThePolicyAsItIs) {
    read_ns();
    EXPECT_EQ(::sched_getscheduler(thread()), SCHED_BATCH);
}

TEST_P(CpuClock, IsNotThatOfAProcessWhichIsNotThere) {
    std::int64_t time_ns = 0;
    constexpr std::int32_t kNoProcess = 1 << 25;  // More than Linux has.
    EXPECT_FALSE(read_cpu_clock(kNoProcess, GetParam() ? kNoProcess : 0, time_ns));
}

}  // namespace
}  // namespace kumi::conductor
