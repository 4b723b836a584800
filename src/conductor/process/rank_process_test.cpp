// A rank as a process among others: which may be it, and what its children may do.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "conductor/segment/segment.hpp"
#include "conductor/testing/child_process.hpp"
#include "conductor/testing/ranks_under_test.hpp"

namespace kumi::conductor {
namespace {

class RankProcessTest : public testing::Test {
   protected:
    RankProcessTest() {
        ::setenv("KUMI_SEGMENT", ranks.run->segment_path().c_str(), 1);
        ::setenv("PMI_RANK", "1", 1);
    }
    ~RankProcessTest() override { ::unsetenv("PMI_RANK"); }

    RanksUnderTest ranks{2};
};

TEST_F(RankProcessTest, OnlyOneProcessIsARank) {
    int attached[2], ended[2];
    ASSERT_EQ(::pipe(attached) | ::pipe(ended), 0);
    const pid_t first = ::fork();
    if (first == 0) {
        ::close(ended[1]);
        const char answer = RankProcess::attach() != nullptr ? 'y' : 'n';
        char nothing = 0;
        if (::write(attached[1], &answer, 1) != 1) ::_exit(1);
        ::_exit(::read(ended[0], &nothing, 1) == 0 ? 0 : 2);  // until the test closes it
    }
    char answer = 0;
    ASSERT_EQ(::read(attached[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    EXPECT_EQ(in_child([] { return RankProcess::attach() == nullptr ? 0 : 1; }), 0);
    EXPECT_EQ(ranks.run->state().ranks[1].facts.pid.load(), first);
    ::close(ended[1]);
    int status = 0;
    ::waitpid(first, &status, 0);
    EXPECT_EQ(status, 0);
    for (const int end : {attached[0], attached[1], ended[0]}) ::close(end);
}

TEST_F(RankProcessTest, ItsExitCodeIsKnownAndNotItsChildrens) {
    const auto& exit_code = ranks.run->state().ranks[1].facts.exit_code;
    const int left = in_child([&] {
        RankProcess* process = RankProcess::attach();
        in_child([&] {
            process->note_exit(7);
            return 0;
        });
        const int before = exit_code.load();
        process->note_exit(259);  // exit() passes on eight bits of it
        return before == -1 ? 0 : 1;
    });
    EXPECT_EQ(left, 0);
    EXPECT_EQ(exit_code.load(), 3);
    // Another process takes the place of one that has ended without taking part.
    EXPECT_EQ(in_child([] { return RankProcess::attach() != nullptr ? 0 : 1; }), 0);
    EXPECT_EQ(exit_code.load(), -1);
}

TEST_F(RankProcessTest, WritingToGuardLinesIsSeen) {
    EXPECT_TRUE(ranks.run->has_whole_guards());
    // What the launcher has made begins with a page of which the segment itself needs little.
    const auto* state = &ranks.run->state();
    const auto page = reinterpret_cast<std::uintptr_t>(state) & ~std::uintptr_t{4095};
    const auto in_guard = [](const GuardLine& guard) {
        return reinterpret_cast<std::uintptr_t>(&guard) + sizeof guard / 2;
    };
    for (const std::uintptr_t address :
         {page - 1, in_guard(state->guard_in_front), in_guard(state->guard_behind),
          in_guard(state->ranks[0].guard), in_guard(state->ranks[1].guard)}) {
        auto* byte = reinterpret_cast<unsigned char*>(address);
        *byte ^= 1;
        EXPECT_FALSE(ranks.run->has_whole_guards());
        *byte ^= 1;
        EXPECT_TRUE(ranks.run->has_whole_guards());
    }
}

TEST_F(RankProcessTest, AnEndedProcessMakesRoomBeforeTheRunBegins) {
    EXPECT_EQ(in_child([] { return RankProcess::attach() != nullptr ? 0 : 1; }), 0);
    EXPECT_EQ(in_child([] { return RankProcess::attach() != nullptr ? 0 : 1; }), 0);
    EXPECT_EQ(ranks.run->state().counts.attached.load(), 1U);
}

TEST_F(RankProcessTest, AChildOfARankIsNoRankAndCannotTouchTheRun) {
    EXPECT_EQ(in_child([] {
                  const RankProcess* process = RankProcess::attach();
                  if (process == nullptr) return 1;
                  if (in_child([] { return RankProcess::attach() == nullptr ? 0 : 1; }) != 0)
                      return 2;
                  // Looking must crash, which sanitizers turn into an exit code of their own.
                  const int code = in_child([&] {
                      volatile std::uint32_t seen = process->call_count();
                      return static_cast<int>(seen - seen);
                  });
                  return code != 0 ? 0 : 3;
              }),
              0);
}

TEST(SegmentSize, KeepsWithinTheLimitsOfTheProcess) {
    constexpr std::size_t kWanted = std::size_t{1} << 38;
    EXPECT_EQ(Segment::possible_bytes(kWanted), kWanted);
    EXPECT_EQ(in_child([] {
                  const rlimit limit{std::size_t{1} << 34, std::size_t{1} << 34};
                  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
                  const std::size_t possible = Segment::possible_bytes(kWanted);
                  if (possible != std::size_t{1} << 33) return 2;
                  const RanksUnderTest smaller(2);
                  return 0;
              }),
              0);
}

}  // namespace
}  // namespace kumi::conductor
