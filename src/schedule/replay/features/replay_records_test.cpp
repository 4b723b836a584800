#include <map>

#include "base/testing/temporary_folder.hpp"
#include "conductor/testing/records_in.hpp"
#include "schedule/patterns/patterns.hpp"
#include "schedule/testing/replay_under_test.hpp"

namespace kumi::schedule {
namespace {

using conductor::records_in;

class ReplayRecordsTest : public testing::Test {
   protected:
    Replayed recorded(const Star& platform, Schedule schedule) const {
        auto replay =
            platform.replay(std::move(schedule), {conductor::Detail::kFull, directory.path()});
        replay->close_records();
        return replay;
    }

    TemporaryFolder directory;
};

TEST_F(ReplayRecordsTest, EveryMessageOfARendezvousIsWrittenWhenItArrives) {
    const Star platform = Star(2).with(kLoaded);
    recorded(platform, one_message(100'000, "tag 7", "tag 7"));
    const auto messages = records_in<conductor::MessageRecord>(directory / "messages.bin");
    ASSERT_EQ(messages.size(), 4u);
    const Instant request = at(210_ns), fetch = request + platform.transfer(32) + 13_ns;
    const Instant data = fetch + platform.transfer(32);
    const Instant finished = data + platform.transfer(100'000) + 170_ns;
    const Instant sent[] = {request, fetch, data, finished};
    const conductor::MessageKind kinds[] = {
        conductor::MessageKind::kControl, conductor::MessageKind::kControl,
        conductor::MessageKind::kRendezvous, conductor::MessageKind::kControl};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(messages[i].sent_ps, sent[i].ps) << i;
        EXPECT_EQ(messages[i].kind, static_cast<std::uint8_t>(kinds[i])) << i;
        EXPECT_EQ(messages[i].source, i % 2) << i;
        EXPECT_EQ(messages[i].target, 1 - i % 2) << i;
        // The payload is sent by the interface.
        EXPECT_EQ(messages[i].sequence, i == 2 ? conductor::kFirstAnswer : i / 2) << i;
        EXPECT_EQ(messages[i].size_bytes, i == 2 ? 100'000u : 32u) << i;
        EXPECT_EQ(messages[i].tag, i == 2 ? 7u : 0u) << i;
        EXPECT_EQ(messages[i].zero_load_ps, messages[i].arrived_ps - messages[i].sent_ps) << i;
    }
}

TEST_F(ReplayRecordsTest, StatesAreWithoutGapsAndAddUpToTheTotals) {
    const Schedule schedule =
        generate("halo/2d", {.ranks = 9, .size_bytes = 70'000, .compute = Duration{123'457}}, 3);
    const auto replay = recorded(Star(9).with(kLoaded), schedule);
    expect_complete(*replay);
    std::vector<std::int64_t> ends(9);
    std::map<std::pair<std::uint32_t, int>, std::int64_t> totals;
    for (const auto& state : records_in<conductor::StateRecord>(directory / "states.bin")) {
        EXPECT_EQ(state.begin_ps, ends[state.rank]);
        EXPECT_LT(state.begin_ps, state.end_ps);
        ends[state.rank] = state.end_ps;
        totals[{state.rank, state.state}] += state.end_ps - state.begin_ps;
    }
    for (std::uint32_t rank = 0; rank < 9; ++rank) {
        const ReplayedRank about = replay->rank(rank);
        EXPECT_EQ(ends[rank], about.finish.ps);
        EXPECT_EQ((totals[{rank, 0}]), about.compute.ps);
        EXPECT_EQ(about.compute.ps, 3 * 123'457);
        EXPECT_EQ((totals[{rank, 1}]), about.communication.ps);
        EXPECT_EQ((totals[{rank, 2}]), about.wait.ps);
    }
}

TEST_F(ReplayRecordsTest, TouchingWaitsAreToldApart) {
    const Star platform(2);
    recorded(platform,
             of_ranks({in_turn({"calc 5000", "send 8b to 1", "calc 5000", "send 8b to 1"}),
                       in_turn({"recv 8b from 0", "recv 8b from 0"})}));
    std::vector<conductor::StateRecord> waits;
    for (const auto& state : records_in<conductor::StateRecord>(directory / "states.bin"))
        if (state.rank == 1) waits.push_back(state);
    ASSERT_EQ(waits.size(), 2u);
    EXPECT_EQ(waits[0].end_ps, waits[1].begin_ps);
    for (const conductor::StateRecord& wait : waits)
        EXPECT_EQ(wait.state, static_cast<std::uint8_t>(conductor::RankState::kWait));
}

TEST_F(ReplayRecordsTest, NothingIsWrittenUnlessItIsAskedFor) {
    const Star platform(2);
    const Schedule schedule = one_message(8);
    platform.replay(schedule, {conductor::Detail::kSummary, directory.path()})->close_records();
    EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
    EXPECT_THROW(platform.replay(schedule, {conductor::Detail::kFull, directory / "missing"}),
                 std::invalid_argument);
}

}  // namespace
}  // namespace kumi::schedule
