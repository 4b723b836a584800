// What is put on record of the states of ranks.

#include <gtest/gtest.h>

#include <vector>

#include "base/testing/temporary_folder.hpp"
#include "conductor/testing/ranks_under_test.hpp"
#include "conductor/testing/records_in.hpp"

namespace kumi::conductor {
namespace {

using namespace literals;

constexpr Duration kKilobyteTrip = RanksUnderTest::kKilobyteTrip;

TEST(RankStates, WaitsOfDifferentCallsAndSleepsAreStretchesOfTheirOwn) {
    const TemporaryFolder folder;
    RanksUnderTest ranks(2, {}, folder.path());
    ranks.complete([](AllPorts& port) {
        for (int i = 0; i < 3; ++i) {
            if (port.rank() == 0) {
                port.sleep(5_us);
                const InCall call(port, "MPI_Send");
                send_bytes(port, 1, 1024);
            } else {
                const InCall call(port, "MPI_Recv");
                receive_any(port);
            }
        }
    });
    ASSERT_TRUE(ranks.run->close_records());
    std::vector<std::int64_t> sleeps, waits;
    for (const auto& row : records_in<StateRecord>(folder / "states.bin")) {
        const bool sleeps_here = row.rank == 0;
        if (row.begin_ps < (15_us).ps || !sleeps_here) {
            EXPECT_EQ(row.state,
                      static_cast<int>(sleeps_here ? RankState::kSleep : RankState::kWait));
        }
        (sleeps_here ? sleeps : waits).push_back(row.end_ps);
    }
    ASSERT_GE(sleeps.size(), 3U);
    ASSERT_EQ(waits.size(), 3U);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(sleeps[i], (5_us).ps * (i + 1));
        EXPECT_EQ(waits[i], ((5_us) * (i + 1) + kKilobyteTrip).ps);
    }
}

TEST(RankStates, AClockThatSomebodyElseHasMovedEndsTheRun) {
    RanksUnderTest ranks(2);
    ranks.fail(VerdictKind::kCorrupt, [&ranks](AllPorts& port) {
        if (port.rank() == 0) return send_bytes(port, 1, 1024);
        // To a time that could be.
        auto* clock = const_cast<unsigned char*>(
            reinterpret_cast<const unsigned char*>(&ranks.run->state().ranks[0].clock));
        clock[3] ^= 0x10;
        receive_any(port);
    });
}

TEST(GuardedInstant, IsWholeAfterWhateverItsOwnerDoes) {
    GuardedInstant instant;
    EXPECT_TRUE(instant.is_whole());
    instant += 3_us;
    instant = instant + 4_us;
    instant += Duration{} - 2_us;
    EXPECT_TRUE(instant.is_whole());
    EXPECT_EQ(instant, Instant{} + 5_us);
    unsigned char* bytes = reinterpret_cast<unsigned char*>(&instant);
    for (std::size_t at = 0; at < sizeof instant; ++at) {
        bytes[at] ^= 1;
        EXPECT_FALSE(instant.is_whole());
        instant += 7_us;
        EXPECT_FALSE(instant.is_whole());
        instant += Duration{} - 7_us;
        bytes[at] ^= 1;
        EXPECT_TRUE(instant.is_whole());
    }
}

}  // namespace
}  // namespace kumi::conductor
