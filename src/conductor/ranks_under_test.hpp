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
#include <vector>

#include "conductor/rank_port.hpp"
#include "conductor/run.hpp"
#include "network/topology/topology.hpp"

namespace kumi {

/// Ranks without an MPI library: forked processes that drive a RankPort, over a star of one host
/// a rank, 100 Gb/s (80 ps a byte) and 500 ns a link.
class RanksUnderTest {
   public:
    static constexpr Duration kLinkLatency{500'000};
    static constexpr std::int64_t kPsPerByte = 80;

    explicit RanksUnderTest(std::uint32_t ranks, RunConfiguration configuration = {},
                            const std::string& record_directory = "") {
        TopologyParameters parameters;
        parameters.kind = "star";
        parameters.numbers.insert_or_assign("hosts", ranks < 2 ? 2 : ranks);
        parameters.link = {100'000'000'000, kLinkLatency};
        const auto topology = make_topology(parameters);
        configuration.ranks = ranks;
        configuration.record_level = RecordLevel::kSummary;
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

    /// Starts a process for each rank: joins, calls `body(port)`, finishes, exits with what `body`
    /// returned.
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
            RankPort* port = RankPort::attach();
            if (port == nullptr) ::_exit(99);
            port->join();
            const int result = body(*port);
            port->finish();
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

    VerdictKind verdict() const { return run->state().verdict.kind.load(); }
    Instant clock(std::uint32_t rank) const { return run->state().ranks[rank].clock; }

    std::unique_ptr<Run> run;

   private:
    std::vector<pid_t> x_children;
};

/// Sends `size_bytes` that carry nothing.
inline void send_bytes(RankPort& port, std::uint32_t target, std::uint64_t size_bytes) {
    const std::uint32_t index = port.prepare(target, MessageKind::kEager, 0);
    port.message(index).size_bytes = size_bytes;
    port.send(index);
}

/// Waits for a message, in a blocking call; returns its source.
inline std::uint32_t receive_any(RankPort& port) {
    port.enter(CallClass::kBlocking, "receive");
    std::uint32_t index = port.take();
    while (index == kNoMessage) {
        port.block();
        index = port.take();
    }
    const std::uint32_t source = port.message(index).source;
    port.discard(index);
    port.leave();
    return source;
}

}  // namespace kumi
