// Messages that are looked at, set aside and thrown away; receives that are taken back; buffers for
// several messages; remote access.

#include <gtest/gtest.h>

#include "transport/testing/transport_under_test.hpp"

namespace kumi::transport {
namespace {

const std::string kSmall(100, 's');
const std::string kLarge(101, 'L');

class TakenOutTest : public TransportTest {};

INSTANTIATE_TEST_SUITE_P(Memory, TakenOutTest, testing::Bool(), name_of_memory);

constexpr SendOptions kUntagged{.tagged = false};

TEST_P(TakenOutTest, PeekLeavesClaimTakes) {
    rank_0([](RankUnderTest& rank) {
        std::string out = kLarge;
        const SendOptions options{.tag = 5, .data = 42, .has_data = true};
        rank.require(rank.complete_send(out, options).operation == Operation::kSend);
    }).rank_1([](RankUnderTest& rank) {
        std::string in(101, '.'), other(101, '.');
        rank.require(rank.peek({0, 5, 0}, &in, false).status == Status::kNoMessage);
        rank.compute_until(kLater);
        const Completion seen = rank.peek({0, 5, 0}, &in, false);
        rank.require(seen.status == Status::kOk && seen.operation == Operation::kReceive);
        rank.require(seen.size_bytes == 101 && seen.tag == 5 && seen.source == 0);
        rank.require(seen.has_data && seen.data == 42 && seen.context == &in);
        rank.require(rank.peek({0, 5, 0}, &in, true).status == Status::kOk);
        rank.require(rank.peek({0, 5, 0}, &other, false).status == Status::kNoMessage);
        rank.in_call([&] {
            Transport& transport = rank.transport;
            rank.require(!transport.receive_claimed(rank.all_of(other), &other, false));
            rank.require(transport.receive_claimed(rank.all_of(in), &in, false));
            rank.require(!transport.receive_claimed(rank.all_of(in), &in, false));
        });
        const Completion completion = rank.next();
        rank.require(completion.context == &in && completion.size_bytes == 101);
        rank.require(in == kLarge && other == std::string(101, '.'));
    });
}

TEST_P(TakenOutTest, ADiscardedMessageFreesItsSender) {
    rank_0([](RankUnderTest& rank) {
        for (const std::string& message : {kSmall, kLarge}) {
            std::string out = message;
            rank.require(rank.complete_send(out, 5).operation == Operation::kSend);
        }
    }).rank_1([](RankUnderTest& rank) {
        for (const std::string& message : {kSmall, kLarge}) {
            rank.compute_until(rank.port.now() + Duration{kLater.ps});
            rank.require(rank.peek({0, 5, 0}, &rank, true).status == Status::kOk);
            rank.in_call([&] { rank.require(rank.transport.receive_claimed({}, &rank, true)); });
            const Completion completion = rank.next();
            rank.require(completion.status == Status::kOk);
            rank.require(completion.size_bytes == message.size());
            rank.require(completion.missing_bytes == 0);
        }
    });
}

TEST_P(TakenOutTest, ACancelledReceiveMatchesNothing) {
    rank_0([](RankUnderTest& rank) {
        rank.compute_until(kLater);
        std::string out = kSmall;
        rank.send(out, 5);
    }).rank_1([](RankUnderTest& rank) {
        std::string first(100, '.'), second(100, '.');
        rank.receive(first, {0, 5, 0}, &first);
        rank.receive(second, {0, 5, 0}, &second);
        rank.require(rank.cancel(&first));
        const Completion cancelled = rank.next();
        rank.require(cancelled.status == Status::kCancelled && cancelled.context == &first);
        rank.require(!rank.cancel(&first));
        rank.require(rank.next().context == &second);
        rank.require(second == kSmall && first == std::string(100, '.'));
        rank.require(!rank.cancel(&second));
    });
}

/// Also if only the announcement of its message has come.
TEST_P(TakenOutTest, AReceiveThatIsCancelledTooLateIsCompleteAtOnce) {
    for (const std::size_t size : {std::size_t{8}, std::size_t{1} << 20}) {
        rank_0([size](RankUnderTest& rank) {
            std::string out(size, 'x');
            rank.complete_send(out, 5);
        }).rank_1([size](RankUnderTest& rank) {
            rank.compute_until(kLater);
            std::string in(size, '.');
            rank.receive(in, {0, 5, 0}, &in);
            rank.require(!rank.cancel(&in));
            rank.require(rank.completions.size() == 1);
            rank.require(rank.completions.front().status == Status::kOk);
            rank.require(in == std::string(size, 'x'));
        });
    }
}

TEST_P(TakenOutTest, ABufferForSeveralMessagesIsReleasedWithTheLastOne) {
    rank_0([](RankUnderTest& rank) {
        for (const std::size_t size : {90, 120, 90, 90}) {
            std::string out(size, size == 120 ? 'y' : 'x');
            rank.complete_send(out, kUntagged);
        }
    }).rank_1([](RankUnderTest& rank) {
        rank.compute_until(kLater);
        std::string buffer(400, '.'), other(400, '.');
        const ReceiveOptions several{.tagged = false, .multi = true, .multi_minimum = 150};
        rank.receive(buffer, matching::kAnything, &buffer, several);
        const std::size_t places[] = {0, 96, 224};
        for (const std::size_t place : places) {
            const Completion completion = rank.next();
            rank.require(completion.context == &buffer && !completion.tagged);
            rank.require(completion.buffer == buffer.data() + place);
            rank.require(completion.size_bytes == (place == 96 ? 120U : 90U));
            rank.require(completion.buffer_released == (place == 224));
        }
        rank.require(buffer.substr(0, 90) == std::string(90, 'x'));
        rank.require(buffer.substr(96, 120) == std::string(120, 'y'));
        rank.require(buffer.substr(224) == std::string(90, 'x') + std::string(86, '.'));
        rank.compute_until(kLast);
        rank.poll();
        rank.require(rank.completions.empty());  // the last one waits for another buffer
        const Completion next = rank.complete_receive(other, matching::kAnything, &other, several);
        rank.require(next.buffer == other.data());
        rank.require(rank.cancel(&other));
        rank.require(rank.next().status == Status::kCancelled);
    });
}

TEST_P(TakenOutTest, ACancelledBufferForSeveralIsReleasedWithWhatIsUnderWay) {
    rank_0([](RankUnderTest& rank) {
        std::string large = kLarge, small = kSmall;
        rank.complete_send(large, kUntagged);
        rank.send(small, kUntagged);
    }).rank_1([](RankUnderTest& rank) {
        // From then on its library's own messages are shown in every call.
        rank.in_call(CallClass::kBackground, [] {});
        std::string buffer(400, '.'), other(100, '.'), last(100, '.');
        const ReceiveOptions several{.tagged = false, .multi = true};
        rank.receive(buffer, matching::kAnything, &buffer, several);
        rank.compute_until(kLater);
        rank.poll();  // asks for the payload
        rank.require(rank.completions.empty());
        rank.require(rank.cancel(&buffer));
        const Completion cancelled = rank.next();
        rank.require(cancelled.status == Status::kCancelled && !cancelled.buffer_released);
        rank.receive(other, {0, 9, 0}, &other);  // might take its place in a table
        const Completion completion = rank.next();
        rank.require(completion.status == Status::kOk && completion.size_bytes == 101);
        rank.require(completion.context == &buffer && completion.buffer_released);
        rank.require(buffer.substr(0, 101) == kLarge);
        rank.compute_until(kLast);
        rank.poll();
        rank.require(rank.completions.empty());
        rank.receive(last, matching::kAnything, &last, {.tagged = false});
        rank.require(rank.next().context == &last && last == kSmall);
        rank.require(rank.cancel(&other));
        rank.require(rank.next().status == Status::kCancelled);
    });
}

TEST_P(TakenOutTest, ATransportThatGoesGivesBackWhatNobodyReceived) {
    rank_0([](RankUnderTest& rank) {
        std::string out = kSmall;
        for (const std::uint64_t tag : {1, 2}) rank.send(out, tag);
    }).rank_1([](RankUnderTest& rank) {
        rank.compute_until(kLater);
        std::string in = kSmall;
        rank.receive(in, {0, 3, 0});
        rank.require(rank.peek({0, 1, 0}, &in, true).status == Status::kOk);
    });
}

TEST_P(TakenOutTest, RemoteAccessReadsWritesAndCounts) {
    configuration.endpoint.send_overhead = Duration{1'000};
    rank_0([](RankUnderTest& rank) {
        rank.compute_until(kLater);
        std::string out = "written", first(3, '?'), second(4, '?'), end = "x";
        const Instant before = rank.port.now();
        rank.access(endpoint::RequestKind::kWrite, 10, rank.all_of(out), nullptr, false);
        rank.require(rank.port.now() - before == Duration{1'000});
        out.assign(7, '!');
        rank.compute_until(kLast);
        rank.poll();
        rank.require(rank.remote_accesses == 1 && rank.completions.empty());
        const iovec into[] = {{first.data(), 3}, {second.data(), 4}};
        rank.access(endpoint::RequestKind::kRead, 10, Buffer::of(into, 2), &first, true);
        const Completion completion = rank.next();
        rank.require(completion.operation == Operation::kRead);
        rank.require(completion.context == &first && rank.remote_accesses == 2);
        rank.require(first + second == "written");
        rank.access(endpoint::RequestKind::kWrite, 0, rank.all_of(end), &end, true);
        rank.require(rank.next().operation == Operation::kWrite);
        rank.require(rank.remote_accesses == 3);
        rank.send(end, 1);
    }).rank_1([](RankUnderTest& rank) {
        std::string window(64, '.'), end(1, '.');
        rank.port.expose(RankUnderTest::kWindow, reinterpret_cast<std::uint64_t>(window.data()),
                         64);
        rank.require(rank.complete_receive(end, {0, 1, 0}, &end).context == &end);
        rank.require(rank.remote_accesses == 0 && rank.completions.empty());
        rank.require(window == "x" + std::string(9, '.') + "written" + std::string(47, '.'));
        rank.port.withdraw(RankUnderTest::kWindow);
    });
}

}  // namespace
}  // namespace kumi::transport
