#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <source_location>
#include <string>
#include <vector>

#include "conductor/testing/ranks_under_test.hpp"
#include "transport/transport.hpp"

namespace kumi::transport {

/// For the messages of which calls this process's rank waits, as the shim lists them.
inline std::vector<std::uint32_t> needed_calls;

inline std::size_t list_needed(std::uint32_t* calls, std::size_t room) {
    std::copy_n(needed_calls.begin(), std::min(room, needed_calls.size()), calls);
    return needed_calls.size();
}

/// One rank's process: its transport, and what that has completed.
class RankUnderTest : public CompletionSink {
   public:
    explicit RankUnderTest(conductor::AllPorts& of_rank, EmptyPolls empty_polls = {},
                           const ShimTable& shim = {})
        : port(of_rank), transport(of_rank, *this, empty_polls, shim) {}

    void complete(const Completion& completion) override { completions.push_back(completion); }
    void count_remote_access(Completion::Operation) override { ++remote_accesses; }

    /// Ends the process, and with that fails the test, unless it holds. The exit code and a line
    /// on stderr say where.
    static void require(bool holds,
                        const std::source_location& place = std::source_location::current()) {
        if (holds) return;
        std::fprintf(stderr, "%s:%u: does not hold\n", place.file_name(), place.line());
        ::_exit(1 + static_cast<int>(place.line() % 250));
    }

    template <class Body>
    void in_call(CallClass call_class, Body&& body) {
        port.enter(call_class, "call");
        body();
        port.leave();
    }
    template <class Body>
    void in_call(Body&& body) {
        in_call(CallClass::kBlocking, body);
    }
    static Buffer all_of(std::string& text) { return Buffer::of(text.data(), text.size()); }

    void send(std::string& text, std::uint64_t tag, void* context = nullptr) {
        send(text, SendOptions{.tag = tag}, context);
    }
    void send(std::string& text, const SendOptions& options, void* context = nullptr) {
        send(all_of(text), options, context);
    }
    void send(const Buffer& buffer, const SendOptions& options = {}, void* context = nullptr) {
        in_call([&] { transport.send(1 - port.rank(), buffer, context, options); });
    }
    void receive(std::string& into, const matching::Pattern& pattern, void* context = nullptr,
                 const ReceiveOptions& options = {}) {
        receive(all_of(into), pattern, context, options);
    }
    void receive(const Buffer& into, const matching::Pattern& pattern, void* context = nullptr,
                 const ReceiveOptions& options = {}) {
        in_call([&] { transport.receive(pattern, into, context, options); });
    }
    /// As `send` and `receive` with these arguments, and then `next`.
    template <class... Arguments>
    Completion complete_send(Arguments&&... arguments) {
        send(arguments...);
        return next();
    }
    template <class Into>
    Completion complete_receive(Into&& into, const matching::Pattern& pattern,
                                void* context = nullptr, const ReceiveOptions& options = {}) {
        receive(into, pattern, context, options);
        return next();
    }
    bool cancel(void* context) {
        bool is_cancelled = false;
        in_call([&] { is_cancelled = transport.cancel(context); });
        return is_cancelled;
    }
    void access(endpoint::RequestKind kind, std::uint64_t offset, const Buffer& buffer,
                void* context, bool wants_completion) {
        in_call([&] {
            transport.access(kind, 1 - port.rank(), kWindow, offset, buffer, context,
                             wants_completion);
        });
    }
    Completion peek(const matching::Pattern& pattern, void* context, bool claims,
                    CallClass call_class = CallClass::kBlocking) {
        const std::size_t before = completions.size();
        in_call(call_class, [&] { transport.peek(pattern, context, true, claims); });
        require(completions.size() == before + 1);
        const Completion seen = completions.back();
        completions.pop_back();
        return seen;
    }
    /// One call that looks without waiting.
    void poll() {
        in_call(CallClass::kPolling, [this] { transport.progress(); });
    }
    /// Waits in one call until it `holds()`, as MPI_Wait does.
    template <class Condition>
    void wait_until(Condition&& holds) {
        in_call([&] {
            for (transport.progress(); !holds(); transport.progress()) transport.note_empty_poll();
        });
    }
    /// Waits in one call until there are `count` completions.
    void wait_for(std::size_t count) {
        wait_until([&] { return completions.size() >= count; });
    }
    /// The oldest completion, which is taken away.
    Completion next() {
        wait_for(1);
        const Completion first = completions.front();
        completions.pop_front();
        return first;
    }
    /// The key of the memory that `access` reads and writes.
    static constexpr std::uint64_t kWindow = 9;

    /// Computes until the rank's clock is there.
    void compute_until(Instant time) { port.compute(time - port.now()); }

    conductor::AllPorts& port;
    Transport transport;
    std::deque<Completion> completions;
    int remote_accesses = 0;
};

/// Rank 0 and rank 1 over two links. The parameter: whether they can reach each other's memory.
class TransportTest : public testing::TestWithParam<bool> {
   protected:
    using Status = Completion::Status;
    using Operation = Completion::Operation;

    static constexpr Instant kLater{1'000'000'000};  ///< Everything has arrived by then.
    static constexpr Instant kLast{2'000'000'000};
    /// A message of no bytes needs at least so long.
    static constexpr Instant kNotArrived{conductor::RanksUnderTest::kLinkLatency.ps};

    TransportTest() { ::setenv("KUMI_PROCESS_MEMORY", GetParam() ? "on" : "off", 1); }
    ~TransportTest() override { ::unsetenv("KUMI_PROCESS_MEMORY"); }

    /// Runs the two, and expects that nothing of what they did is left.
    template <class First, class Second>
    void run(First&& first, Second&& second) {
        conductor::RanksUnderTest ranks(2, configuration);
        const bool reaches = GetParam();
        ranks.complete([&](conductor::AllPorts& port) {
            RankUnderTest rank(port);
            RankUnderTest::require(port.can_reach_memory() == reaches);
            if (port.rank() == 0)
                first(rank);
            else
                second(rank);
        });
        EXPECT_EQ(ranks.run->state().messages.live(), 0U);
        EXPECT_EQ(ranks.run->state().requests.live(), 0U);
    }

    /// `rank_0(first).rank_1(second)` runs the two as well.
    template <class First>
    struct Rank0 {
        TransportTest& test;
        First first;

        template <class Second>
        void rank_1(Second&& second) {
            test.run(first, second);
        }
    };
    template <class First>
    Rank0<First> rank_0(First first) {
        return {*this, std::move(first)};
    }

    conductor::RunConfiguration configuration{
        .endpoint = {.eager_limit_bytes = 100, .control_bytes = 8}};
};

/// Of the two cases of such a test.
inline const char* name_of_memory(const testing::TestParamInfo<bool>& about) {
    return about.param ? "PeersReachable" : "PeersNotReachable";
}

}  // namespace kumi::transport
