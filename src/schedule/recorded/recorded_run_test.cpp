#include "schedule/recorded/recorded_run.hpp"

#include <string>

#include "schedule/testing/schedules_under_test.hpp"

namespace kumi::schedule {
namespace {

using Kind = conductor::MessageStep;

/// A rank's step; times in picoseconds.
struct Step {
    Kind kind;
    std::uint32_t rank, peer;
    std::uint64_t sequence, size_bytes;
    std::int64_t clock, computed, waited;
    bool is_awaited = false;
    bool is_control = false;
    std::uint64_t request = 0;
    std::int64_t slept = 0;
};

std::vector<conductor::OperationRecord> records_of(const std::vector<Step>& rows) {
    std::vector<conductor::OperationRecord> records;
    for (const Step& row : rows) {
        const conductor::MessageKind message =
            row.is_control ? conductor::MessageKind::kControl : conductor::MessageKind::kEager;
        records.push_back({.sequence = row.sequence,
                           .request = row.request,
                           .size_bytes = row.size_bytes,
                           .clock_ps = row.clock,
                           .compute_ps = row.computed,
                           .wait_ps = row.waited,
                           .slept_ps = row.slept,
                           .rank = row.rank,
                           .peer = row.peer,
                           .kind = static_cast<std::uint8_t>(row.kind),
                           .message = static_cast<std::uint8_t>(message),
                           .is_awaited = static_cast<std::uint8_t>(row.is_awaited)});
    }
    return records;
}

std::string text_of(std::uint32_t ranks, const std::vector<Step>& rows) {
    return text_of(schedule_of_run(ranks, records_of(rows)));
}

TEST(RecordedRun, IsAChainOfWhatPassedInBetween) {
    // Rank 0 computes 50, works 10, sends; rank 1 works 5, waits until 90, works 7.
    EXPECT_EQ(text_of(2, {{Kind::kSend, 0, 1, 0, 8, 60, 50, 0},
                          {Kind::kReceive, 1, 0, 0, 8, 90, 0, 85, true},
                          {Kind::kEnd, 0, 0, 0, 0, 60, 50, 0},
                          {Kind::kEnd, 1, 0, 0, 0, 97, 0, 85}}),
              "num_ranks 2\n\n"
              "rank 0 {\nl0: calc 50ps\nl1: calc 10ps software\nl2: send 8b to 1 bare\n"
              "l1 requires l0\nl2 requires l1\n}\n\n"
              "rank 1 {\nl0: calc 5ps software\nl1: recv 8b from 0 bare\nl2: calc 7ps software\n"
              "l1 requires l0\nl2 requires l1\n}\n");
}

TEST(RecordedRun, ASleepIsTimeOfItsOwn) {
    // Rank 1 computes 5, sleeps 40, waits until 90, sleeps 3 more.
    EXPECT_TRUE(says(text_of(2, {{Kind::kSend, 0, 1, 0, 8, 0, 0, 0},
                                 {Kind::kReceive, 1, 0, 0, 8, 90, 5, 45, true, false, 0, 40},
                                 {Kind::kEnd, 0, 0, 0, 0, 0, 0, 0},
                                 {Kind::kEnd, 1, 0, 0, 0, 93, 5, 45, false, false, 0, 43}}),
                     "l0: calc 5ps\nl1: calc 40ps sleep\nl2: recv 8b from 0 bare\n"
                     "l3: calc 3ps sleep\n"));
}

TEST(RecordedRun, AWaitThatNoMessageEndedIsKept) {
    // Rank 1 was resumed at 85 without an arrival and took at 90 what had come before.
    EXPECT_TRUE(says(text_of(2, {{Kind::kSend, 0, 1, 0, 8, 0, 0, 0},
                                 {Kind::kReceive, 1, 0, 0, 8, 90, 0, 85},
                                 {Kind::kEnd, 0, 0, 0, 0, 0, 0, 0},
                                 {Kind::kEnd, 1, 0, 0, 0, 90, 0, 85}}),
                     "l0: calc 90ps software\nl1: recv"));
}

TEST(RecordedRun, TheTagOfAnApproximateMessageIsItsOrdinal) {
    // Rank 0's second and third message are approximate, of which the third was decided first.
    std::vector<conductor::OperationRecord> records =
        records_of({{Kind::kSend, 0, 1, 0, 8, 0, 0, 0},
                    {Kind::kSend, 0, 1, 1, 8, 0, 0, 0},
                    {Kind::kSend, 0, 1, 2, 8, 0, 0, 0},
                    {Kind::kEnd, 0, 0, 0, 0, 0, 0, 0},
                    {Kind::kEnd, 1, 0, 0, 0, 0, 0, 0}});
    for (const std::size_t place : {1, 2}) {
        records[place].allows_errors = 1;
        records[place].element = static_cast<std::uint8_t>(Element::kDouble);
        records[place].protected_bits = 16;
        records[place].ordinal = 2 - place;
        records[place].function = 1;
    }
    records[2].order = 1 + static_cast<std::uint8_t>(network::BitOrder::kImportantFirst);
    const RecordedErrors errors{false, {CallName("MPI_Bcast"), CallName("MPI_Send")}};
    EXPECT_EQ(text_of(schedule_of_run(2, records, errors)),
              "num_ranks 2\nexact_messages unprotected\n\n"
              "rank 0 {\nl0: send 8b to 1 tag 2 bare\n"
              "l1: send 8b to 1 tag 1 bare approximate double 16 by MPI_Send\n"
              "l2: send 8b to 1 bare approximate double 16 important_first by MPI_Send\n"
              "l1 requires l0\nl2 requires l1\n}\n\nrank 1 {\n}\n");
    EXPECT_TRUE(says(complaint_of([&] { schedule_of_run(2, records); }), "consists of"));
    const auto read = [&] { schedule_of_run(2, records, errors); };
    records[2].ordinal = 1;
    EXPECT_TRUE(says(complaint_of(read), "the same number"));
    records[2].ordinal = 5;
    EXPECT_TRUE(says(complaint_of(read), "impossible number"));
}

TEST(RecordedRun, EachMessageOfAPairHasATagOfItsOwn) {
    const Schedule schedule =
        schedule_of_run(3, records_of({{Kind::kSend, 0, 1, 0, 8, 0, 0, 0},
                                       {Kind::kSend, 0, 2, 1, 8, 0, 0, 0},
                                       {Kind::kSend, 0, 1, 2, 9, 0, 0, 0},
                                       {Kind::kReceive, 1, 0, 2, 9, 1, 0, 1, true},
                                       {Kind::kReceive, 1, 0, 0, 8, 1, 0, 1},
                                       {Kind::kEnd, 0, 0, 0, 0, 0, 0, 0},
                                       {Kind::kEnd, 1, 0, 0, 0, 1, 0, 1},
                                       {Kind::kEnd, 2, 0, 0, 0, 0, 0, 0}}));
    EXPECT_EQ(schedule.operations_of(0)[1].tag, 0u);
    EXPECT_EQ(schedule.operations_of(0)[2].tag, 1u);
    EXPECT_EQ(schedule.operations_of(1)[0].tag, 1u);
    EXPECT_EQ(schedule.operations_of(1)[0].amount, 9u);
    EXPECT_EQ(schedule.operations_of(1)[1].tag, 0u);
    EXPECT_TRUE(schedule.operations_of(2).empty());
}

TEST(RecordedRun, AnAnswerBelongsToTheInterface) {
    // Rank 1 asks for 4000 bytes of rank 0, which computes meanwhile.
    EXPECT_EQ(text_of(2, {{Kind::kAnswer, 0, 1, 0, 4000, 0, 0, 0, false, false, 0},
                          {Kind::kEnd, 0, 0, 0, 0, 70, 70, 0},
                          {Kind::kSend, 1, 0, 0, 32, 0, 0, 0, false, true},
                          {Kind::kReceive, 1, 0, 0, 4000, 40, 0, 40, true},
                          {Kind::kEnd, 1, 0, 0, 0, 40, 0, 40}}),
              "num_ranks 2\n\n"
              "rank 0 {\nl0: recv 32b from 1 bare interface\nl1: send 4000b to 1 bare interface\n"
              "l2: calc 70ps\nl1 requires l0\n}\n\n"
              "rank 1 {\nl0: send 32b to 0 bare control request\nl1: recv 4000b from 0 bare\n"
              "l1 requires l0\n}\n");
}

TEST(RecordedRun, RefusesWhatIsNoWholeRun) {
    const auto complaint = [](const std::vector<Step>& rows) {
        return complaint_of([&] { schedule_of_run(2, records_of(rows)); });
    };
    const Step end_of_0{Kind::kEnd, 0, 0, 0, 0, 0, 0, 0};
    const Step end_of_1{Kind::kEnd, 1, 0, 0, 0, 0, 0, 0};
    EXPECT_EQ(complaint({end_of_0}), "the record of rank 1 has no end");
    EXPECT_EQ(complaint({end_of_0, end_of_1, {Kind::kEnd, 2, 0, 0, 0, 0, 0, 0}}),
              "the record of rank 2 is damaged: there is no such rank");
    EXPECT_EQ(complaint({{static_cast<Kind>(4), 0, 0, 0, 0, 0, 0, 0}}),
              "the record of rank 0 is damaged: there is no such step");
    EXPECT_EQ(complaint({{Kind::kReceive, 0, 1, 0, 8, 1, 0, 1, true}, end_of_1}),
              "the record of rank 0 is damaged: it has a message that was not sent");
    EXPECT_EQ(complaint({{Kind::kSend, 0, 1, 0, 8, 0, 0, 0}, {Kind::kSend, 0, 1, 0, 8, 0, 0, 0}}),
              "the record of rank 0 is damaged: two messages have the same number");
    EXPECT_EQ(complaint({{Kind::kSend, 0, 1, 9, 8, 0, 0, 0}}),
              "the record of rank 0 is damaged: a message has an impossible number");
    EXPECT_EQ(complaint({{Kind::kSend, 0, 1, 0, 8, 10, 20, 0}, end_of_0, end_of_1}),
              "the record of rank 0 is damaged: its clock goes backwards");
}

}  // namespace
}  // namespace kumi::schedule
