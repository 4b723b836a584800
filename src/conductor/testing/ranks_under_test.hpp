#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "conductor/port/run.hpp"
#include "conductor/testing/calls_of_ranks.hpp"
#include "network/topology/topology.hpp"

namespace kumi::conductor {

/// Ranks without an MPI library: forked processes that drive the ports of a rank, over a star of
/// one host a rank, 100 Gb/s (80 ps a byte) and 500 ns a link.
class RanksUnderTest {
   public:
    static constexpr Duration kLinkLatency{500'000};
    static constexpr std::int64_t kPsPerByte = 80;
    /// From rank to rank, over both links.
    static constexpr Duration kKilobyteTrip =
        kLinkLatency + kLinkLatency + Duration{1024 * kPsPerByte};

    explicit RanksUnderTest(std::uint32_t ranks, RunConfiguration configuration = {},
                            const std::string& record_directory = "") {
        network::TopologyParameters parameters;
        parameters.kind = "star";
        parameters.numbers.insert_or_assign("hosts", ranks < 2 ? 2 : ranks);
        parameters.host_link = {100'000'000'000, kLinkLatency};
        const auto topology = network::make_topology(parameters);
        configuration.ranks = ranks;
        if (record_directory.empty()) configuration.detail = Detail::kSummary;
        run =
            std::make_unique<Run>(configuration, topology->describe(), *topology, record_directory);
    }

    ~RanksUnderTest() {
        for (const pid_t child : x_children) {
            if (child == 0) continue;
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        }
    }

    /// Processes run on that many cores at once, always.
    void use_cores(std::size_t count) {
        run->use_cores(std::vector<int>(count, Cores::kAnywhere), /*always=*/true);
    }

    /// Starts a process for each rank: joins, calls `body(port)`, finishes, exits with what `body`
    /// returned, or with 0 if it returns nothing.
    template <class Body>
    void start(Body&& body) {
        ::setenv("KUMI_SEGMENT", run->segment_path().c_str(), 1);
        const std::uint32_t ranks = run->state().configuration.ranks;
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            const pid_t child = ::fork();
            if (child != 0) {
                x_children.push_back(child);
                continue;
            }
            ::setenv("PMI_RANK", std::to_string(rank).c_str(), 1);
            RankProcess* process = RankProcess::attach();
            if (process == nullptr) ::_exit(99);
            AllPorts ports(*process);
            ports.join(/*alone_calls_mpi=*/true);
            int result = 0;
            if constexpr (std::is_void_v<decltype(body(ports))>)
                body(ports);
            else
                result = body(ports);
            ports.finish();
            ::_exit(result);
        }
    }

    /// Waits for all ranks. True if all exited with 0 within ten seconds and without a verdict.
    [[nodiscard]] bool end() {
        for (pid_t& child : x_children) {
            int status = 0;
            for (int tick = 0; ::waitpid(child, &status, WNOHANG) == 0; ++tick) {
                if (verdict() != VerdictKind::kNone || tick > 1000) return false;
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
            child = 0;
            if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return false;
        }
        x_children.clear();
        return true;
    }

    /// Starts all ranks and expects them to end without a verdict.
    template <class Body>
    void complete(Body&& body) {
        start(body);
        EXPECT_TRUE(end()) << "verdict " << static_cast<int>(verdict());
    }
    /// Starts all ranks and expects that `expected` ends the run.
    template <class Body>
    void fail(VerdictKind expected, Body&& body) {
        start(body);
        EXPECT_FALSE(end());
        EXPECT_EQ(verdict(), expected);
    }

    VerdictKind verdict() const { return run->state().diagnosis.verdict.kind.load(); }
    Instant clock(std::uint32_t rank) const { return run->state().ranks[rank].clock; }
    /// How far the clocks of all ranks have come.
    std::vector<Duration> clocks() const {
        std::vector<Duration> clocks;
        for (std::uint32_t rank = 0; rank < run->state().rank_count(); ++rank)
            clocks.push_back(clock(rank) - Instant{});
        return clocks;
    }
    Duration time_in(std::uint32_t rank, RankState state) const {
        return run->state().ranks[rank].totals.by_state[static_cast<int>(state)];
    }

    std::unique_ptr<Run> run;

   private:
    std::vector<pid_t> x_children;
};

/// Ranks that have done what `body` is, and ended without a verdict.
struct CompletedRanks : RanksUnderTest {
    template <class Body>
    CompletedRanks(std::uint32_t ranks, const RunConfiguration& configuration, Body&& body)
        : RanksUnderTest(ranks, configuration) {
        complete(body);
    }
    template <class Body>
    CompletedRanks(std::uint32_t ranks, Body&& body) : CompletedRanks(ranks, {}, body) {}
};

}  // namespace kumi::conductor
