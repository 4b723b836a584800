#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "conductor/port/call_log_port.hpp"
#include "conductor/port/clock_port.hpp"
#include "conductor/port/collective_port.hpp"
#include "conductor/port/endpoint_port.hpp"
#include "conductor/port/hint_port.hpp"
#include "conductor/port/run.hpp"
#include "conductor/port/wake_port.hpp"
#include "network/topology/topology.hpp"

namespace kumi::conductor {

/// All ports of a rank in one, for tests that are shim, transport and program at once.
class AllPorts : public ClockPort,
                 public EndpointPort,
                 public WakePort,
                 public HintPort,
                 public CallLogPort,
                 public CollectivePort {
   public:
    explicit AllPorts(RankProcess& process)
        : ClockPort(process),
          EndpointPort(process),
          WakePort(process),
          HintPort(process),
          CallLogPort(process),
          CollectivePort(process) {}

    using ClockPort::finish;
    using EndpointPort::finish;

    // Each port has these from its own base.
    std::uint32_t rank() const { return EndpointPort::rank(); }
    std::uint32_t rank_count() const { return EndpointPort::rank_count(); }
    std::uint32_t call_count() const { return EndpointPort::call_count(); }
    const RunConfiguration& configuration() const { return EndpointPort::configuration(); }
    void spend(Duration span) { EndpointPort::spend(span); }
    void synchronise() { EndpointPort::synchronise(); }
    void refuse(const char* text) { process().refuse(text); }
};

/// Runs `body` in a child process; its exit code, or -1 if it crashed.
template <class Body>
int in_child(Body&& body) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(body());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A value that this process and those that it forks have in common.
template <class Value>
std::shared_ptr<Value> make_common() {
    void* const memory =
        ::mmap(nullptr, sizeof(Value), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return {new (memory) Value{}, [](Value* value) { ::munmap(value, sizeof(Value)); }};
}

/// The records of a file of a run's.
template <class Record>
std::vector<Record> records_in(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<Record> records;
    for (Record record{}; file.read(reinterpret_cast<char*>(&record), sizeof record);)
        records.push_back(record);
    return records;
}

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
            ports.join();
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

/// A call of the program's, while it exists.
class InCall {
   public:
    InCall(AllPorts& port, const CallName& name, CallClass call_class = CallClass::kBlocking)
        : x_port(port) {
        port.enter(call_class, name);
    }
    ~InCall() { x_port.leave(); }
    InCall(const InCall&) = delete;
    InCall& operator=(const InCall&) = delete;

   private:
    AllPorts& x_port;
};

/// Sends `size_bytes` that carry nothing.
inline void send_bytes(AllPorts& port, std::uint32_t target, std::uint64_t size_bytes) {
    const std::uint32_t index = port.prepare(target, MessageKind::kEager, 0);
    port.message(index).size_bytes = size_bytes;
    port.send(index);
}

/// The same, in a blocking call of the program's.
inline void send_in_call(AllPorts& port, std::uint32_t target, std::uint64_t size_bytes) {
    const InCall call(port, "send");
    send_bytes(port, target, size_bytes);
}

/// Puts a 1 of 8 bytes into the memory that the target has exposed under `key`, and waits until it
/// is there.
inline void put_one(AllPorts& port, std::uint32_t target, std::uint64_t key) {
    const std::uint32_t index = port.prepare(target, MessageKind::kPut, 8);
    Message& message = port.message(index);
    message.size_bytes = message.reply_bytes = 8;
    message.action = ArrivalAction::kPut;
    message.remote_key = key;
    message.payload[0] = std::byte{1};
    const std::uint32_t request = port.make_request(endpoint::RequestKind::kWrite);
    message.head.kind = endpoint::HeadKind::kPutDone;
    message.head.origin_request = port.handle(request);
    port.begin(request);
    port.send(index);
    const InCall call(port, "wait", CallClass::kWindow);
    while (port.take_complete() == endpoint::kNone) port.wait({});
}

/// Posts a receive of up to `size_bytes`; returns its request.
inline std::uint32_t post_receive(AllPorts& port, const matching::Pattern& pattern,
                                  std::uint64_t size_bytes = 1 << 20) {
    const std::uint32_t number = port.make_request(endpoint::RequestKind::kReceive);
    port.request(number).pattern = pattern;
    port.request(number).capacity_bytes = size_bytes;
    port.post(number);
    return number;
}

inline constexpr matching::Pattern kAnything{matching::kAnySource, 0, ~std::uint64_t{0}};

/// Looks once for a message of which a receive is posted. Returns whether there is one.
inline bool poll_once(AllPorts& port) {
    const InCall call(port, "poll", CallClass::kPolling);
    port.look();
    const std::uint32_t done = port.take_complete();
    if (done != endpoint::kNone) port.finish(done);
    return done != endpoint::kNone;
}

/// Waits for the message of a receive from one source; runs ahead if that is certain.
inline void wait_for(AllPorts& port, std::uint32_t receive) {
    const EndpointPort::Wait wait{
        .requests = {&receive, 1}, .is_exact = true, .may_run_ahead = port.may_run_ahead()};
    if (port.wait(wait)) port.take_certain(receive);
    (void)port.message_of(receive);
    port.finish(receive);
}

/// Waits for a message, in a blocking call; returns its source.
inline std::uint32_t receive_any(AllPorts& port) {
    const InCall call(port, "receive");
    post_receive(port, kAnything);
    std::uint32_t done = port.take_complete();
    while (done == endpoint::kNone) {
        port.wait({});
        done = port.take_complete();
    }
    const std::uint32_t source = port.message_of(done).source;
    port.finish(done);
    return source;
}

}  // namespace kumi::conductor
