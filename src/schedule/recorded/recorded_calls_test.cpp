#include "schedule/recorded/recorded_calls.hpp"

#include <string>
#include <vector>

#include "conductor/segment/state.hpp"
#include "matching/envelope.hpp"
#include "schedule/testing/schedules_under_test.hpp"

namespace kumi::schedule {
namespace {

using Kind = conductor::CallStep;

/// A rank's step.
struct Step {
    std::uint32_t rank;
    std::uint32_t call;
    Kind kind;
    std::uint32_t peer = 0;
    std::uint64_t tag = 0;
    std::uint32_t request = 0;
    std::int64_t computed = 0;
    std::uint64_t ignore = 0;
    bool wants_completion = true;
    CallClass call_class = CallClass::kBlocking;
};

Schedule calls_of(std::uint32_t ranks, const std::vector<Step>& rows) {
    std::vector<conductor::CallRecord> records;
    for (const Step& row : rows) {
        conductor::CallRecord record{};
        record.tag = row.tag;
        record.ignore = row.ignore;
        record.size_bytes = 8;
        record.compute_ps = row.computed;
        record.rank = row.rank;
        record.peer = row.peer;
        record.request = row.request;
        record.call = row.call;
        record.kind = static_cast<std::uint8_t>(row.kind);
        record.call_class = static_cast<std::uint8_t>(row.call_class);
        record.wants_completion = row.wants_completion ? 1 : 0;
        records.push_back(record);
    }
    return schedule_of_calls(ranks, records);
}

/// What rank 0 does in these calls, of which all have to do with rank 1.
std::string rank_0(std::vector<Step> rows) {
    rows.push_back({0, 99, Kind::kEnd, 0, 0, 0, rows.back().computed, 0, true, CallClass::kLocal});
    rows.push_back({.rank = 1, .call = 0, .kind = Kind::kEnd, .call_class = CallClass::kLocal});
    const std::string text = text_of(calls_of(2, rows));
    const std::size_t begin = text.find("rank 0 {\n") + 9;
    return text.substr(begin, text.find("}\n", begin) - begin);
}

TEST(RecordedCalls, ABlockingCallWaitsForWhatItHasPosted) {
    EXPECT_EQ(rank_0({{0, 1, Kind::kReceive, 1, 5, 1}, {0, 2, Kind::kSend, 1, 5, 2}}),
              "l0: recv 8b from 1\nl1: send 8b to 1\nl1 requires l0\n");
}

TEST(RecordedCalls, AnInjectedSendIsNotWaitedFor) {
    EXPECT_EQ(rank_0({{0, 1, Kind::kSend, 1, 0, 1, 0, 0, /*wants_completion=*/false},
                      {0, 2, Kind::kSend, 1, 0, 2}}),
              "l0: send 8b to 1\nl1: send 8b to 1\nl1 irequires l0\n");
}

TEST(RecordedCalls, AWaitIsForTheCallsThatStartedItsRequests) {
    // It computes 7 before it waits, and 2 after.
    EXPECT_EQ(rank_0({{0, 1, Kind::kStarts},
                      {0, 1, Kind::kReceive, 1, 5, 1},
                      {0, 2, Kind::kStarts},
                      {0, 2, Kind::kReceive, 1, 6, 2},
                      {0, 3, Kind::kNeeds, 0, 0, 2, /*computed=*/7},
                      {0, 4, Kind::kSend, 1, 5, 3, /*computed=*/9}}),
              "l0: recv 8b from 1\nl1: recv 8b from 1 tag 1\nl2: calc 7ps\nl3: calc 2ps\n"
              "l4: send 8b to 1\nl1 irequires l0\nl3 requires l1\nl2 irequires l1\n"
              "l3 requires l2\nl4 requires l3\n");
}

TEST(RecordedCalls, StepsOfACallWaitForWhatItsLibraryHasRead) {
    // The receive of call 1 is read in call 2, too, but is none of its own.
    EXPECT_EQ(rank_0({{0, 1, Kind::kStarts},
                      {0, 1, Kind::kReceive, 1, 5, 1},
                      {0, 2, Kind::kReceive, 1, 6, 2},
                      {0, 2, Kind::kSeen, 1, 5, 1},
                      {0, 2, Kind::kSeen, 1, 6, 2},
                      {0, 2, Kind::kSend, 1, 6, 3}}),
              "l0: recv 8b from 1 tag 1\nl1: recv 8b from 1\nl2: send 8b to 1\n"
              "l1 irequires l0\nl2 requires l1\n");
}

TEST(RecordedCalls, AMessageOfTheProgramsIsNoStepOfACall) {
    // The same, and nothing of its own is read in call 2: the receive is a step of a nonblocking
    // collective, which goes on there, or it has nothing to do with it.
    const auto waits_of = [](Kind start) {
        const std::string text = rank_0({{0, 1, start},
                                         {0, 1, Kind::kReceive, 1, 5, 1},
                                         {0, 2, Kind::kSeen, 1, 5, 1},
                                         {0, 2, Kind::kSend, 1, 6, 2}});
        return text.substr(text.find("l1 "));
    };
    EXPECT_EQ(waits_of(Kind::kStarts), "l1 requires l0\n");
    EXPECT_EQ(waits_of(Kind::kStartsMessage), "l1 irequires l0\n");
}

TEST(RecordedCalls, WhatIsComputedLastWaitsForTheLastCall) {
    EXPECT_EQ(rank_0({{0, 1, Kind::kReceive, 1, 5, 1},
                      {0, 1, Kind::kHint, 0, 0, 0, /*computed=*/3, 0, true, CallClass::kLocal}})
                  .substr(0, 41),
              "l0: recv 8b from 1\nl1: calc 3ps\nl2: hint ");
}

TEST(RecordedCalls, BitsThatAllTheSameReceivesAcceptAreOneTag) {
    constexpr std::uint64_t kProtocol = std::uint64_t{1} << 60;
    const auto text = rank_0({{0, 1, Kind::kSend, 1, kProtocol | 3, 1},
                              {0, 1, Kind::kSend, 1, 3, 2},
                              {0, 1, Kind::kSend, 1, 4, 3},
                              {0, 2, Kind::kReceive, 1, 3, 4, 0, /*ignore=*/kProtocol}});
    EXPECT_EQ(text.substr(0, text.find("l3 requires")),
              "l0: send 8b to 1\nl1: send 8b to 1\nl2: send 8b to 1 tag 1\nl3: recv 8b from 1\n");
}

TEST(RecordedCalls, WildcardsAreCountedAndGetTheTagThatTheyGot) {
    const std::uint64_t any = 0xFF;
    const Schedule calls = calls_of(1, {{0, 1, Kind::kSend, 0, 3, 1},
                                        {0, 1, Kind::kSend, 0, 4, 2},
                                        {0, 2, Kind::kReceive, matching::kAnySource, 0, 3, 0, any},
                                        {0, 2, Kind::kReceive, 0, 3, 4},
                                        {0, 2, Kind::kSeen, 0, 4, 3},
                                        {0, 3, Kind::kGuess},
                                        {0, 4, Kind::kEnd}});
    EXPECT_EQ(calls.recorded_order().wildcards, 1U);
    EXPECT_EQ(calls.recorded_order().polls, 1U);
    const Operation& receive = calls.operations_of(0)[2];
    EXPECT_EQ(receive.peer, kAnyPeer);
    EXPECT_EQ(receive.tag, 1U);
}

TEST(RecordedCalls, DamageIsReported) {
    const auto refused = [](const std::vector<Step>& rows) {
        EXPECT_THROW((void)calls_of(1, rows), ScheduleError);
    };
    refused({});
    refused({{1, 1, Kind::kEnd}});
    refused({{0, 1, Kind::kSend, 0, 0, 2}, {0, 1, Kind::kEnd}});
    refused({{0, 1, Kind::kSeen, 0, 0, 1}, {0, 1, Kind::kEnd}});
    refused({{0, 1, Kind::kEnd}, {0, 1, Kind::kEnd}});
    refused({{0, 1, static_cast<Kind>(10)}, {0, 1, Kind::kEnd}});
    refused({{0, 1, Kind::kSend, 0, 0, 1, /*computed=*/5}, {0, 1, Kind::kEnd}});
}

}  // namespace
}  // namespace kumi::schedule
