#include "base/time/time.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace kumi::inline base {
namespace {

using namespace literals;

TEST(Time, LiteralsArePicoseconds) {
    EXPECT_EQ((7_ps).ps, 7);
    EXPECT_EQ(3_ns, 3000_ps);
    EXPECT_EQ(2_us, 2000_ns);
    EXPECT_EQ(1_ms, 1000_us);
}

TEST(Time, InstantsAndDurationsAddUp) {
    Instant now{10};
    now += 5_ps;
    EXPECT_EQ(now, Instant{15});
    EXPECT_EQ(now - Instant{4}, 11_ps);
    EXPECT_EQ(now - 4_ps, Instant{11});
    EXPECT_EQ(3 * 4_ps, 12_ps);
    EXPECT_EQ(later(now, Instant{16}), Instant{16});
    EXPECT_EQ(earlier(now, Instant{16}), now);
    EXPECT_LT(now, kNever);
}

TEST(TransferTime, IsExactWhereTheRateDivides) {
    EXPECT_EQ(transfer_time(0, 1), 0_ps);
    EXPECT_EQ(transfer_time(1, 8'000'000'000'000), 1_ps);
    EXPECT_EQ(transfer_time(1000, 5'000'000'000), 1600_ns);
    EXPECT_EQ(transfer_time(1, 100'000'000'000), 80_ps);
}

TEST(TransferTime, RoundsUp) {
    EXPECT_EQ(transfer_time(1, 3'000'000'000'000), 3_ps);   // 2.67
    EXPECT_EQ(transfer_time(3, 3'000'000'000'000), 8_ps);   // exactly
    EXPECT_EQ(transfer_time(1, 16'000'000'000'000), 1_ps);  // 0.5
}

TEST(TransferTime, DoesNotOverflowOnTheWay) {
    EXPECT_EQ(transfer_time(std::uint64_t{1} << 40, 8'000'000'000'000), Duration{1LL << 40});
    EXPECT_EQ(transfer_time(std::uint64_t{1} << 40, 8'000'000'000), Duration{1000LL << 40});
}

TEST(TransferTimeDeathTest, RefusesWhatVirtualTimeCannotHold) {
    EXPECT_THROW((void)transfer_time(std::uint64_t{1} << 60, 1), std::overflow_error);
    EXPECT_DEATH((void)transfer_time(1, 0), "rate of zero");
}

RC_GTEST_PROP(TransferTime, IsTheSmallestThatSuffices, ()) {
    const auto size_bytes = *rc::gen::inRange<std::uint64_t>(0, 1U << 30);
    const auto rate_bps = *rc::gen::inRange<std::uint64_t>(1'000'000, 400'000'000'000);
    const std::int64_t time_ps = transfer_time(size_bytes, rate_bps).ps;
    __extension__ using Wide = __int128;
    const Wide bits_ps = static_cast<Wide>(size_bytes) * 8'000'000'000'000;
    RC_ASSERT(static_cast<Wide>(time_ps) * rate_bps >= bits_ps);
    RC_ASSERT(size_bytes == 0 || static_cast<Wide>(time_ps - 1) * rate_bps < bits_ps);
}

}  // namespace
}  // namespace kumi::inline base
