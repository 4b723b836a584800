#include "launch/processes/job.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <system_error>
#include <thread>

#include "launch/processes/job_members.hpp"

namespace kumi::launch {
namespace {

JobOptions shell(std::uint32_t ranks, const std::string& script) {
    JobOptions options;
    options.ranks = ranks;
    options.arguments = {"/bin/sh", "-c", script};
    options.environment = {"PATH=/usr/bin:/bin"};
    return options;
}

struct StartedJob : Job {
    explicit StartedJob(JobOptions options) : Job(std::move(options)) { start(); }
};

/// Steps until `count` events have come, which may take ten seconds; by rank.
std::vector<JobEvent> collect(Job& job, std::size_t count) {
    std::vector<JobEvent> events;
    for (int i = 0; i < 100 && events.size() < count; ++i) {
        for (JobEvent& event : job.step(100)) events.push_back(std::move(event));
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const JobEvent& a, const JobEvent& b) { return a.rank < b.rank; });
    EXPECT_EQ(events.size(), count);
    events.resize(count);
    return events;
}

bool is_alive(pid_t pid) { return ::kill(pid, 0) == 0; }

/// Waits until `job_name` has `count` processes, ten seconds at most.
bool has_members(const std::string& job_name, std::size_t count) {
    for (int i = 0; i < 1000; ++i) {
        if (find_job_members(job_name).size() == count) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

TEST(Job, TellsHowEveryRankEnded) {
    StartedJob job(
        shell(3, "test $PMI_RANK = 1 && kill -KILL $$; exit $((PMI_RANK * 4 + PMI_SIZE))"));
    const auto events = collect(job, 3);
    EXPECT_EQ(events[0].kind, JobEvent::Kind::kExited);
    EXPECT_EQ(events[0].code, 3);
    EXPECT_EQ(events[1].kind, JobEvent::Kind::kSignalled);
    EXPECT_EQ(events[1].signal, SIGKILL);
    EXPECT_EQ(events[2].code, 11);
    EXPECT_EQ(job.running(), 0U);
}

TEST(Job, StartsAloneWhatCannotBeCopied) {
    // No shim is there to do it: the shell runs its script, and ends.
    JobOptions options = shell(4, "exit ${PMI_RANK:-9}");
    options.loads_once = true;
    StartedJob job(options);
    const auto events = collect(job, 4);
    for (int rank = 0; rank < 4; ++rank) EXPECT_EQ(events[rank].code, rank);
}

TEST(Job, SaysThatWhatItShouldCopyCannotBeExecuted) {
    JobOptions options = shell(4, "");
    options.arguments = {"/nowhere/program"};
    options.loads_once = true;
    Job job(options);
    EXPECT_THROW(job.start(), std::system_error);
    EXPECT_EQ(job.running(), 0U);
}

/// Whether this system lets a process ask for fixed addresses.
bool may_fix_addresses() {
    const int present = ::personality(0xFFFFFFFF);
    const bool may = ::personality(static_cast<unsigned long>(present) | ADDR_NO_RANDOMIZE) != -1;
    ::personality(static_cast<unsigned long>(present));
    return may;
}

TEST(Job, FixesAddressesIfAsked) {
    for (const bool asked : {false, true}) {
        JobOptions options = shell(1, "grep -q '4....$' /proc/self/personality");
        options.fixes_addresses = asked;
        StartedJob job(options);
        const auto events = collect(job, 1);
        EXPECT_EQ(events[0].code == 0, asked && may_fix_addresses());
    }
}

TEST(Job, ReportsEveryEndOnce) {
    // Ranks that end while others are still being started.
    for (int repetition = 0; repetition < 20; ++repetition) {
        StartedJob job(shell(8, "exit 0"));
        const auto events = collect(job, 8);
        for (std::size_t rank = 0; rank < 8; ++rank) {
            EXPECT_EQ(events[rank].kind, JobEvent::Kind::kExited);
            EXPECT_EQ(events[rank].rank, static_cast<int>(rank));
        }
        EXPECT_TRUE(job.step(0).empty());
    }
}

TEST(Job, StartsRanksWithCleanSignalsOnOneCore) {
    // Python's launcher ignores SIGPIPE; its ranks must not.
    ::signal(SIGPIPE, SIG_IGN);
    StartedJob job(shell(1,
                         "ignored=$(grep ^SigIgn /proc/self/status | cut -f2); "
                         "[ $((0x$ignored & 0x1000)) -eq 0 ] || exit 1; "
                         "grep -q '^SigBlk:.0*$' /proc/self/status || exit 2; "
                         "case $(grep ^Cpus_allowed_list /proc/self/status | cut -f2) in "
                         "*[,-]*) exit 3;; esac"));
    ::signal(SIGPIPE, SIG_DFL);
    ASSERT_EQ(job.cores().size(), 1U);
    EXPECT_GE(job.cores()[0], 0);
    const auto events = collect(job, 1);
    EXPECT_EQ(events[0].code, 0);
}

TEST(CoreClaim, TakesAnotherCoreThanTheClaimBesideIt) {
    // A domain of its own: other jobs may run on this computer.
    const std::string domain = "kumihimo-test-" + std::to_string(::getpid());
    const CoreClaim first(1, domain);
    const CoreClaim second(1, domain);
    const bool has_one_core = std::thread::hardware_concurrency() < 2;
    EXPECT_EQ(first.cores() == second.cores(), has_one_core);
}

TEST(CoreClaim, TakesAllThatAreLeftOrSharesOnes) {
    const std::string domain = "kumihimo-test-all-" + std::to_string(::getpid());
    const CoreClaim all(0, domain);
    const auto count = std::thread::hardware_concurrency();
    EXPECT_EQ(std::set<int>(all.cores().begin(), all.cores().end()).size(), count);
    const CoreClaim late(0, domain);
    ASSERT_EQ(late.cores().size(), 1U);
    EXPECT_NE(std::ranges::find(all.cores(), late.cores()[0]), all.cores().end());
    EXPECT_EQ(CoreClaim(count, domain).cores().size(), count);
}

TEST(Job, SaysWhichProgramCannotBeExecuted) {
    JobOptions options;
    options.ranks = 2;
    options.arguments = {"/does/not/exist"};
    Job job(options);
    try {
        job.start();
        FAIL() << "started";
    } catch (const std::system_error& error) {
        EXPECT_EQ(error.code().value(), ENOENT);
        EXPECT_NE(std::string(error.what()).find("/does/not/exist"), std::string::npos);
    }
    EXPECT_EQ(job.running(), 0U);
}

TEST(Job, ReportsStopsAndContinuations) {
    StartedJob job(shell(2, "exec sleep 60"));
    ::kill(job.pid(1), SIGSTOP);
    auto events = collect(job, 1);
    EXPECT_EQ(events[0].kind, JobEvent::Kind::kStopped);
    EXPECT_EQ(events[0].rank, 1);
    EXPECT_EQ(events[0].signal, SIGSTOP);
    ::kill(job.pid(1), SIGCONT);
    events = collect(job, 1);
    EXPECT_EQ(events[0].kind, JobEvent::Kind::kContinued);
}

TEST(Job, ServesPmiAndPassesOnAnAbort) {
    // dash knows only file descriptors of one digit: bash takes any.
    JobOptions options = shell(2, "");
    options.arguments = {"/bin/bash", "-c",
                         "printf 'cmd=init pmi_version=1 pmi_subversion=1\\n' >&$PMI_FD; "
                         "read -r answer <&$PMI_FD; "
                         "test $PMI_RANK = 1 && printf 'cmd=abort exitcode=9 message=%s\\n' "
                         "\"$answer\" >&$PMI_FD; exit 5"};
    StartedJob job(options);
    const auto events = collect(job, 3);
    EXPECT_EQ(events[0].kind, JobEvent::Kind::kExited);
    EXPECT_EQ(events[1].kind, JobEvent::Kind::kPmiAbort) << "before the rank's end";
    EXPECT_EQ(events[1].code, 9);
    EXPECT_EQ(events[1].text, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0");
    EXPECT_EQ(events[2].kind, JobEvent::Kind::kExited);
    EXPECT_EQ(job.pmi_phase(0), PmiPhase::kInitialised);
}

TEST(Job, KillsStoppedRanksAndDescendantsThatHaveLeft) {
    StartedJob job(shell(2, "setsid sh -c 'sleep 60 & exec sleep 60' & kill -STOP $$"));
    ASSERT_TRUE(has_members(job.name(), 6));
    const auto members = find_job_members(job.name());
    EXPECT_TRUE(job.kill_all());
    EXPECT_TRUE(find_job_members(job.name()).empty());
    for (pid_t pid : members) EXPECT_FALSE(is_alive(pid)) << pid;
    EXPECT_TRUE(job.kill_all()) << "a second time";
}

TEST(Job, FindsARankThatReplacesItsProgramAllTheTime) {
    // A process without an environment, as execve() shows it for a moment, is still the job's.
    JobOptions options = shell(1, "");
    options.arguments = {"/bin/sh", "-c", R"(exec /bin/sh -c "$0" "$0")",
                         R"(exec /bin/sh -c "$0" "$0")"};
    StartedJob job(options);
    for (int i = 0; i < 500; ++i) ASSERT_EQ(find_job_members(job.name()).size(), 1U) << i;
    EXPECT_TRUE(job.kill_all());
    EXPECT_TRUE(find_job_members(job.name()).empty());
}

TEST(Job, LeavesNothingWhenTheLauncherIsKilled) {
    int pipe_ends[2];
    ASSERT_EQ(::pipe(pipe_ends), 0);
    const pid_t launcher = ::fork();
    if (launcher == 0) {
        StartedJob job(shell(3, "setsid sleep 60 & exec sleep 60"));
        const std::string name = job.name() + "\n";
        if (!has_members(job.name(), 6)) ::_exit(1);
        if (::write(pipe_ends[1], name.data(), name.size()) < 0) ::_exit(1);
        ::pause();
    }
    ::close(pipe_ends[1]);
    char buffer[128] = {};
    const ssize_t length = ::read(pipe_ends[0], buffer, sizeof buffer);
    ::close(pipe_ends[0]);
    ASSERT_GT(length, 1);
    const std::string name(buffer, static_cast<std::size_t>(length) - 1);
    EXPECT_EQ(find_job_members(name).size(), 6U);
    ::kill(launcher, SIGKILL);
    ::waitpid(launcher, nullptr, 0);
    EXPECT_TRUE(has_members(name, 0));
}

TEST(Job, WatchesRanksThatAStarterStarts) {
    JobOptions options = shell(2, "sleep 60 & wait");
    options.starts_ranks_itself = true;
    StartedJob job(options);
    ASSERT_TRUE(has_members(job.name(), 2));
    EXPECT_EQ(job.pid(0), 0);
    const pid_t starter = job.pid(Job::kStarter);
    for (pid_t pid : find_job_members(job.name())) {
        if (pid == starter) continue;
        job.watch(1, pid);
        ::kill(pid, SIGKILL);
    }
    const auto events = collect(job, 2);
    EXPECT_EQ(events[0].rank, Job::kStarter);
    EXPECT_EQ(events[1].kind, JobEvent::Kind::kVanished);
    EXPECT_EQ(events[1].rank, 1);
}

}  // namespace
}  // namespace kumi::launch
