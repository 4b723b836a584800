#include <string>

#include "schedule/testing/schedules_under_test.hpp"

namespace kumi::schedule {
namespace {

TEST(Goal, ReadsEveryStatement) {
    const Schedule schedule = goal(R"(// a comment
num_ranks 3
/* another,
   of two lines */
rank 0 {
  l1: send 8b to 1 tag 3 cpu 1 nic 2
  l2: recv 16b from -1 tag -1   // any
  l3: calc 100 cpu 4
  calc 5ps
  wait_until 7
  l2 requires l1
  l3 irequires l2
}
rank 2 { recv 1b from 0 }
)");
    ASSERT_EQ(schedule.ranks(), 3u);
    const auto operations = schedule.operations_of(0);
    ASSERT_EQ(operations.size(), 5u);
    Operation send = Operation::send(8, 1, 3);
    send.cpu = 1;
    send.nic = 2;
    EXPECT_EQ(operations[0], send);
    EXPECT_EQ(operations[1].peer, kAnyPeer);
    EXPECT_EQ(operations[1].tag, kAnyTag);
    EXPECT_EQ(operations[2].amount, 100'000u);
    EXPECT_EQ(operations[2].cpu, 4);
    EXPECT_EQ(operations[3].amount, 5u);
    EXPECT_EQ(operations[4].kind, OperationKind::kWaitUntil);
    EXPECT_EQ(operations[4].amount, 7'000u);
    EXPECT_EQ(schedule.successors(0, 0)[0], Successor(1, false));
    EXPECT_EQ(schedule.successors(0, 1)[0], Successor(2, true));
    EXPECT_TRUE(schedule.operations_of(1).empty());
    EXPECT_EQ(schedule.operations_of(2)[0], Operation::receive(1, 0));
}

TEST(Goal, ReadsTheTraitsOfARecordedRun) {
    const Schedule schedule = goal(R"(num_ranks 2
rank 0 {
  calc 100 software
  calc 200 cpu 1 sleep
  send 8b to 1 tag 3 bare
  send 8b to 1 bare control request interface
  recv 8b from 1 bare interface
}
)");
    const auto operations = schedule.operations_of(0);
    EXPECT_EQ(operations[0].traits, traits::kSoftware);
    EXPECT_EQ(operations[1].traits, traits::kSleep);
    EXPECT_EQ(operations[2].traits, traits::kBare);
    EXPECT_EQ(operations[3].traits,
              traits::kBare | traits::kControl | traits::kRequest | traits::kInterface);
    EXPECT_EQ(operations[4].traits, traits::kBare | traits::kInterface);
}

TEST(Goal, StatementsNeedNoLinesOfTheirOwn) {
    const Schedule one_line = goal(
        "num_ranks 2 rank 0 { l1: send 8b to 1 tag 3 l2: calc 10 l2 requires l1 calc 1 cpu 2 recv "
        "1b from 1 } rank 1 { recv 8b from 0 tag 3 send 1b to 0 }");
    EXPECT_EQ(one_line, goal(R"(num_ranks 2
rank 0 {
l1: send 8b to 1 tag 3
l2: calc 10
l2 requires l1
calc 1 cpu 2
recv 1b from 1
}
rank 1 {
recv 8b from 0 tag 3
send 1b to 0
})"));
    EXPECT_EQ(one_line.operations_of(0).size(), 4u);
}

TEST(Goal, PlainTextHasNothingOfOurOwn) {
    const Schedule schedule = goal(R"(num_ranks 2
rank 0 {
a: calc 1500ps software
b: calc 1499ps cpu 1
c: wait_until 7
d: send 8b to 1 tag 3 nic 2 bare control request interface
e: recv 4b from -1 tag -1 bare
f: calc 9 sleep
d requires a
e irequires d
})");
    EXPECT_EQ(text_of(schedule, GoalDialect::kPortable), R"(num_ranks 2

rank 0 {
l0: calc 2
l1: calc 1 cpu 1
l2: calc 0
l3: send 8b to 1 tag 3 nic 2
l4: recv 4b from -1 tag -1
l5: calc 9
l3 requires l0
l4 irequires l3
}

rank 1 {
}
)");
    const PortableLosses losses = portable_losses(schedule);
    EXPECT_EQ(losses.rounded, 2u);
    EXPECT_EQ(losses.waits, 1u);
    EXPECT_EQ(losses.software, 1u);
    EXPECT_EQ(losses.sleeps, 1u);
    EXPECT_EQ(losses.bare, 2u);
}

TEST(Goal, LabelsAreLocalToARank) {
    EXPECT_EQ(goal("num_ranks 2\nrank 0 {\na: calc 1\n}\nrank 1 {\na: calc 2\n}\n").operations(),
              2u);
}

struct Mistake {
    std::string text;
    const char* complaint;  ///< Part of it.
};

/// In the statements of a rank, of which the first stands in line 3.
Mistake in_rank(const std::string& statements, const char* complaint) {
    return {"num_ranks 2\nrank 0 {\n" + statements + "\n}", complaint};
}

class GoalMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(GoalMistakes, AreNamedWithTheirLine) {
    const std::string complaint = complaint_of([] { goal(GetParam().text); });
    EXPECT_TRUE(says(complaint, GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    All, GoalMistakes,
    testing::Values(
        Mistake{"", "line 1: expected 'num_ranks'"},
        Mistake{"\n\nrank 0 {}", "line 3: expected 'num_ranks', not 'rank'"},
        Mistake{"num_ranks 0\n", "line 1: there must be at least one rank"},
        Mistake{"num_ranks -1\n", "line 1: expected the number of ranks from 0"},
        Mistake{"num_ranks 99999999999999999999\n", "line 1: a number is larger than 2^64"},
        Mistake{"num_ranks 2\nrank 2 {\n}\n", "line 2: there is no rank 2, only 0 to 1"},
        Mistake{"num_ranks 2\nrank 1 {\n}\nrank 0 {\n}\n", "line 4: rank 0 comes after rank 1"},
        Mistake{"num_ranks 1\nrank 0 {\ncalc 1\n", "line 2: rank 0 has no closing '}'"},
        in_rank("send 8 to 1", "line 3: expected a size with the unit"),
        in_rank("send 8b to 5", "line 3: rank 0: there is no rank 5"),
        in_rank("send 8b to -1", "line 3: expected a rank from 0"),
        in_rank("recv 8b to 1", "line 3: expected 'from', not 'to'"),
        in_rank("send 8b to 1 cpu 256", "line 3: expected a cpu from 0"),
        in_rank("send 8b to 1 cpu 0 tag 1", "line 3: expected the end of the line, not 'tag'"),
        in_rank("calc 1 bare", "line 3: expected the end of the line"),
        in_rank("send 8b to 1 control", "line 3: expected the end of the line, not 'control'"),
        in_rank("recv 8b from 1 bare control",
                "line 3: expected the end of the line, not 'control'"),
        in_rank("a: calc 1\na: calc 2", "line 4: the label 'a' is"),
        in_rank("a: calc 1\na requires b\nb: calc 1",
                "line 4: no operation of this rank has the label 'b' so far"),
        in_rank("a: calc 1\na requires a", "line 3: an operation waits"),
        in_rank("a: calc 1\nb: calc 1\na requires b\nb requires a",
                "operations wait for each other: those of the lines"),
        in_rank("jump 1", "line 3: expected send, recv, calc"),
        in_rank("hint WAKE 1", "line 3: expected a hint (IN_KERNEL"),
        in_rank("hint IN_KERNEL 2", "line 3: expected a value from 0 to 1"),
        in_rank("hint MEMORY_BUDGET 5", "line 3: expected a size with the"),
        in_rank("hint MEMORY_BUDGET 0b", "there is no such hint"),
        in_rank("hint IN_KERNEL 1 cpu 2", "line 3: expected the end"),
        Mistake{"num_ranks 2\nrecorded_polls many\n", "line 2: expected a number of polls"},
        Mistake{"num_ranks 2\nrecorded_wildcards 1\nrecorded_polls 1\n",
                "line 3: expected 'rank', not 'recorded_polls'"},
        Mistake{"num_ranks 2\nexact_messages free\n",
                "line 2: expected 'protected' or 'unprotected', not 'free'"},
        in_rank("send 8b to 1 approximate real 3",
                "line 3: expected a type of numbers, such as double or double_complex, not 'real'"),
        in_rank("send 8b to 1 approximate float 33",
                "line 3: rank 0: numbers of the type float have 32 bits, 33 cannot be protected"),
        in_rank("send 9b to 1 approximate float 3",
                "line 3: rank 0: 9 bytes are no whole number of float"),
        in_rank("send 8b to 1 nic 1 approximate float 3",
                "line 3: an approximate message has no nic"),
        in_rank("send 8b to 1 bare control approximate float 3",
                "line 3: rank 0: an operation has traits that do not belong together"),
        in_rank("recv 8b from 1 approximate float 3",
                "line 3: expected the end of the line, not 'approximate'"),
        Mistake{"num_ranks 1\n/* \n\n", "line 2: this comment does not end"},
        Mistake{"num_ranks 1 / 2\n", "line 1: '/' begins nothing but a comment"},
        in_rank("calc $", "line 3: '$' means nothing here")));

TEST(Goal, KnowsCommonStarts) {
    const Schedule schedule =
        goal("num_ranks 1\nrank 0 {\na: synchronise cpu 2\nb: wait_after 1500ps\nb requires a\n}");
    const auto operations = schedule.operations_of(0);
    EXPECT_EQ(operations[0].kind, OperationKind::kSynchronise);
    EXPECT_EQ(operations[0].cpu, 2);
    EXPECT_EQ(operations[1].kind, OperationKind::kWaitAfter);
    EXPECT_EQ(operations[1].amount, 1500u);
    EXPECT_EQ(goal(text_of(schedule)), schedule);
    EXPECT_EQ(portable_losses(schedule).synchronisations, 1u);
    EXPECT_EQ(portable_losses(schedule).waits_after, 1u);
    const Schedule read = goal(text_of(schedule, GoalDialect::kPortable));
    for (const Operation& operation : read.operations_of(0)) {
        EXPECT_EQ(operation.kind, OperationKind::kCompute);
        EXPECT_EQ(operation.amount, 0u);
    }
}

TEST(Goal, KnowsWhatIsApproximate) {
    const std::string text = R"(num_ranks 2
exact_messages unprotected

rank 0 {
l0: send 800b to 1 tag 3 cpu 1 bare interface approximate double_complex 16 important_first by MPI_Send
l1: send 8b to 1 approximate float 0 in_order
l2: send 16b to 1 approximate double_complex 16 important_first by MPI_Send
l3: send 16b to 1 approximate double_complex 16
}

rank 1 {
}
)";
    const Schedule schedule = goal(text);
    EXPECT_EQ(text_of(schedule), text);
    ASSERT_NE(schedule.errors(), nullptr);
    EXPECT_FALSE(schedule.errors()->protects_exact);
    ASSERT_EQ(schedule.errors()->contents.size(), 3u);
    EXPECT_EQ(schedule.errors()->contents[0].element, Element::kDoubleComplex);
    EXPECT_EQ(schedule.errors()->contents[0].protected_bits, 16);
    EXPECT_EQ(schedule.errors()->contents[0].order, network::BitOrder::kImportantFirst);
    EXPECT_STREQ(schedule.errors()->contents[0].function.text, "MPI_Send");
    const auto operations = schedule.operations_of(0);
    EXPECT_EQ(operations[0].traits, traits::kBare | traits::kInterface | traits::kApproximate);
    EXPECT_EQ(operations[1].content(), 1);
    EXPECT_EQ(operations[2].content(), 0);
    EXPECT_EQ(portable_losses(schedule).approximate, 4u);
    const Schedule read = goal(text_of(schedule, GoalDialect::kPortable));
    EXPECT_EQ(read.errors(), nullptr);
    EXPECT_EQ(read.operations_of(0)[1], Operation::send(8, 1));
}

TEST(Goal, ExactMessagesAreProtectedUnlessTheTextSaysOtherwise) {
    const Schedule schedule = goal("num_ranks 2\nrank 0 { send 8b to 1 approximate double 0 }");
    EXPECT_TRUE(schedule.errors()->protects_exact);
    EXPECT_EQ(goal("num_ranks 2\nexact_messages protected\n").errors()->contents.size(), 0u);
}

TEST(Goal, KnowsPollsAndWildcardsOfRecordedCalls) {
    const std::string text = R"(num_ranks 1
exact_messages protected
recorded_polls 12
recorded_wildcards 3

rank 0 {
}
)";
    const Schedule schedule = goal(text);
    EXPECT_EQ(schedule.recorded_order(), (RecordedOrder{.polls = 12, .wildcards = 3}));
    EXPECT_FALSE(schedule == goal("num_ranks 1\nexact_messages protected\nrecorded_polls 12\n"));
    EXPECT_EQ(portable_losses(schedule).recorded_order, 15u);
    EXPECT_EQ(text_of(schedule), text);
    EXPECT_EQ(text_of(schedule, GoalDialect::kPortable), "num_ranks 1\n\nrank 0 {\n}\n");
}

TEST(Goal, KnowsHints) {
    const Schedule schedule =
        goal("num_ranks 1\nrank 0 {\na: hint IN_KERNEL 1\nhint MEMORY_BUDGET 65536b\n}");
    const auto operations = schedule.operations_of(0);
    EXPECT_EQ(operations[0], Operation::in_kernel(true));
    EXPECT_EQ(operations[1], Operation::hint({endpoint::service::HintKey::kMemoryBudget, 65'536}));
    EXPECT_EQ(portable_losses(schedule).hints, 2u);
    EXPECT_EQ(text_of(schedule, GoalDialect::kPortable),
              "num_ranks 1\n\nrank 0 {\nl0: calc 0\nl1: calc 0\n}\n");
}

TEST(Goal, WritesWhatItReads) {
    rc::check("round trip", [] {
        const Schedule schedule = arbitrary_schedule();
        RC_ASSERT(goal(text_of(schedule)) == schedule);
    });
}

TEST(Goal, AnyBytesGiveAScheduleOrAComplaint) {
    rc::check("random bytes", [](const std::string& bytes) {
        const std::string complaint = complaint_of([&] { goal(bytes); });
        RC_ASSERT(complaint.rfind("line ", 0) == 0);
    });
}

TEST(Goal, AnyDamageGivesAScheduleOrAComplaintWithALine) {
    rc::check("damaged text", [] {
        std::string text = text_of(arbitrary_schedule());
        const auto place = *rc::gen::inRange<std::size_t>(0, text.size());
        text[place] = static_cast<char>(*rc::gen::inRange(0, 256));
        const std::string complaint = complaint_of([&] { goal(text); });
        RC_ASSERT(complaint.empty() || complaint.rfind("line ", 0) == 0);
    });
}

}  // namespace
}  // namespace kumi::schedule
