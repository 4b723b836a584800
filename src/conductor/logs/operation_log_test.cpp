#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "base/testing/temporary_folder.hpp"
#include "conductor/testing/ranks_under_test.hpp"
#include "conductor/testing/records_in.hpp"

namespace kumi::conductor {
namespace {

using namespace literals;
using enum MessageStep;

class OperationLog : public testing::Test {
   protected:
    /// Runs `body` in every rank and returns what was put on record.
    template <class Body>
    std::vector<OperationRecord> log_of(std::uint32_t ranks, bool is_on, Body&& body) {
        RanksUnderTest under_test(ranks, {.records_operations = is_on}, directory.path());
        under_test.complete(body);
        EXPECT_TRUE(under_test.run->close_records());
        return records_in<OperationRecord>(directory / "operations.bin");
    }

    static std::vector<OperationRecord> of_rank(const std::vector<OperationRecord>& all,
                                                std::uint32_t rank) {
        std::vector<OperationRecord> some = all;
        std::erase_if(some, [rank](const auto& record) { return record.rank != rank; });
        return some;
    }

    TemporaryFolder directory;
};

using Row = std::tuple<MessageStep, std::uint32_t, std::uint64_t, std::uint64_t, std::int64_t,
                       std::int64_t, std::int64_t, bool, std::int64_t>;

/// kind, peer, sequence, size, clock, computed, waited, is awaited, slept
Row row_of(const OperationRecord& record) {
    return {static_cast<MessageStep>(record.kind),
            record.peer,
            record.sequence,
            record.size_bytes,
            record.clock_ps,
            record.compute_ps,
            record.wait_ps,
            record.is_awaited != 0,
            record.slept_ps};
}

constexpr std::int64_t kTrip = 2 * RanksUnderTest::kLinkLatency.ps + 1000 * 80;

TEST_F(OperationLog, HoldsEveryStepWithItsTimes) {
    const auto all = log_of(2, true, [](AllPorts& port) {
        if (port.rank() == 0) port.compute(7_us);
        if (port.rank() == 0) send_bytes(port, 1, 1000);
        receive_any(port);
        port.compute(2_us);
        if (port.rank() == 1) send_bytes(port, 0, 1000);
    });
    const auto first = of_rank(all, 0);
    ASSERT_EQ(first.size(), 3u);
    const std::int64_t there = 7'000'000 + kTrip;
    const std::int64_t back = there + 2'000'000 + kTrip;
    const std::int64_t waited = back - 7'000'000;
    EXPECT_EQ(row_of(first[0]), Row(kSend, 1, 0, 1000, 7'000'000, 7'000'000, 0, false, 0));
    EXPECT_EQ(row_of(first[1]), Row(kReceive, 1, 0, 1000, back, 7'000'000, waited, true, 0));
    EXPECT_EQ(row_of(first[2]), Row(kEnd, 0, 0, 0, back + 2'000'000, 9'000'000, waited, false, 0));
    const auto second = of_rank(all, 1);
    ASSERT_EQ(second.size(), 3u);
    EXPECT_EQ(row_of(second[0]), Row(kReceive, 0, 0, 1000, there, 0, there, true, 0));
}

TEST_F(OperationLog, TellsSleepsFromWaits) {
    const auto all = log_of(2, true, [](AllPorts& port) {
        if (port.rank() == 0) return send_bytes(port, 1, 1000);
        port.sleep(Duration{kTrip / 4});
        receive_any(port);
        port.compute(2_us);
        port.sleep(3_us);
    });
    const auto second = of_rank(all, 1);
    ASSERT_EQ(second.size(), 2u);
    const std::int64_t slept = kTrip / 4, waited = kTrip - slept;
    EXPECT_EQ(row_of(second[0]), Row(kReceive, 0, 0, 1000, kTrip, 0, waited, true, slept));
    EXPECT_EQ(row_of(second[1]),
              Row(kEnd, 0, 0, 0, kTrip + 5'000'000, 2'000'000, waited, false, slept + 3'000'000));
}

TEST_F(OperationLog, AnAnswerOfTheInterfaceNamesItsRequest) {
    const auto all = log_of(2, true, [](AllPorts& port) {
        if (port.rank() == 0) return;
        send_bytes(port, 0, 8);
        const std::uint32_t index = port.prepare(0, MessageKind::kControl, 0);
        Message& message = port.message(index);
        message.action = ArrivalAction::kReply;
        message.size_bytes = 32;
        message.reply_bytes = 1000;
        message.reply_kind = MessageKind::kRendezvous;
        port.send(index);
        const InCall call(port, "wait");
        port.wait({});
    });
    const auto first = of_rank(all, 0);
    const auto answer = first.front().kind == 2 ? first.front() : first.back();
    EXPECT_EQ(static_cast<MessageStep>(answer.kind), kAnswer);
    EXPECT_EQ(answer.request, 1u);
    EXPECT_EQ(answer.peer, 1u);
    EXPECT_EQ(answer.size_bytes, 1000u);
    EXPECT_EQ(static_cast<MessageKind>(answer.message), MessageKind::kRendezvous);
    EXPECT_EQ(of_rank(all, 1).size(), 4u);
}

TEST_F(OperationLog, DoesNothingIfItIsOff) {
    EXPECT_TRUE(log_of(2, false, [](AllPorts& port) {
                    if (port.rank() == 0) send_bytes(port, 1, 8);
                    if (port.rank() == 1) receive_any(port);
                }).empty());
    EXPECT_FALSE(std::filesystem::exists(directory / "operations.bin"));
}

}  // namespace
}  // namespace kumi::conductor
