#include "network/power/states/idle_course.hpp"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "network/power/idle_histogram.hpp"
#include "network/testing/power_under_test.hpp"

namespace kumi::network {
namespace {

using namespace literals;
using Part = std::tuple<PowerState, std::int64_t, std::int64_t>;
using Parts = std::vector<Part>;

template <class Course, class... Arguments>
Parts parts_of(const Course& course, Arguments... arguments) {
    Parts parts;
    course.walk(arguments..., [&](PowerState state, Duration begin, Duration end) {
        parts.emplace_back(state, begin.ps, end.ps);
    });
    return parts;
}

constexpr PowerState kDeepSleep = state_of(PowerState::kSleep, 1);
constexpr PowerState kDeepLowPower = state_of(PowerState::kLowPower, 1);

/// 70 % of the power after 10 ps, 10 % after 20 ps more; awake again in 3 and 50 ps.
PowerDescription two_modes() {
    PowerDescription power;
    power.mode_count = 2;
    power.modes[0] = {
        .sleep_time = 10_ps, .wake_time = 3_ps, .early_wake_time = 4_ps, .low_uw = 70};
    power.modes[1] = {
        .sleep_time = 20_ps, .wake_time = 50_ps, .early_wake_time = 60_ps, .low_uw = 10};
    power.on_uw = power.sleep_uw = power.wake_uw = power.refresh_uw = 100;
    return power;
}

TEST(IdleCourse, GoesThroughItsModes) {
    const IdleCourse course(two_modes(), 5_ps, 7_ps);
    EXPECT_EQ(parts_of(course, 100_ps), (Parts{{PowerState::kActive, 0, 5},
                                               {PowerState::kSleep, 5, 15},
                                               {PowerState::kLowPower, 15, 22},
                                               {kDeepSleep, 22, 42},
                                               {kDeepLowPower, 42, 100}}));
    EXPECT_EQ(parts_of(course, 15_ps),
              (Parts{{PowerState::kActive, 0, 5}, {PowerState::kSleep, 5, 15}}));
    EXPECT_EQ(course.state_after(5_ps), PowerState::kActive);
    EXPECT_EQ(course.state_after(6_ps), PowerState::kSleep);
    EXPECT_EQ(course.state_after(14_ps), PowerState::kSleep);
    EXPECT_EQ(course.state_after(15_ps), PowerState::kLowPower);
    EXPECT_EQ(course.state_after(22_ps), kDeepSleep);
    EXPECT_EQ(course.state_after(42_ps), kDeepLowPower);
    EXPECT_EQ(course.sleep_end(6_ps), 15_ps);
    EXPECT_EQ(course.sleep_end(30_ps), 42_ps);
}

TEST(IdleCourse, MayStayWhereItIs) {
    EXPECT_EQ(parts_of(IdleCourse::awake(two_modes()), 1000_ps),
              (Parts{{PowerState::kActive, 0, 1000}}));
    EXPECT_EQ(parts_of(IdleCourse(two_modes(), 0_ps, kForever), 1000_ps),
              (Parts{{PowerState::kSleep, 0, 10}, {PowerState::kLowPower, 10, 1000}}));
}

TEST(BestCourse, TakesTheModeThatCostsLeast) {
    const PowerDescription power = two_modes();
    // Below 13 ps there is no time to sleep and wake; at 13 there is nothing to gain by it.
    EXPECT_EQ(parts_of(BestCourse(power, 13_ps, true)), (Parts{{PowerState::kActive, 0, 13}}));
    EXPECT_EQ(parts_of(BestCourse(power, 14_ps, true)), (Parts{{PowerState::kSleep, 0, 10},
                                                               {PowerState::kLowPower, 10, 11},
                                                               {PowerState::kWake, 11, 14}}));
    // First mode: 100 * 13 + 70 (I - 13). Second: 100 * 80 + 10 (I - 80). Equal at I = 113.5.
    EXPECT_EQ(BestCourse(power, 113_ps, true).energy(), 100U * 13 + 70U * 100);
    EXPECT_EQ(parts_of(BestCourse(power, 113_ps, true))[1], (Part{PowerState::kLowPower, 10, 110}));
    EXPECT_EQ(BestCourse(power, 114_ps, true).energy(), 100U * 80 + 10U * 34);
    EXPECT_EQ(parts_of(BestCourse(power, 114_ps, true)),
              (Parts{{PowerState::kSleep, 0, 10},
                     {kDeepSleep, 10, 30},
                     {kDeepLowPower, 30, 64},
                     {state_of(PowerState::kWake, 1), 64, 114}}));
    // Nothing waits for it at the end.
    EXPECT_EQ(parts_of(BestCourse(power, 11_ps, false)),
              (Parts{{PowerState::kSleep, 0, 10}, {PowerState::kLowPower, 10, 11}}));
}

TEST(PowerTimes, CountRefreshes) {
    PowerDescription power = two_modes();
    power.modes[0].quiet_time = 40_ps;
    power.modes[0].refresh_time = 2_ps;
    power.refresh_uw = 90;
    const auto after = [&](Duration span) {
        PowerTimes times;
        times.add(power, PowerState::kLowPower, span);
        EXPECT_EQ(times.total(), span);
        return times.spent[static_cast<int>(PowerState::kRefresh)];
    };
    EXPECT_EQ(after(40_ps), 0_ps);
    EXPECT_EQ(after(41_ps), 1_ps);
    EXPECT_EQ(after(42_ps), 2_ps);
    EXPECT_EQ(after(82_ps), 2_ps);
    EXPECT_EQ(after(420_ps), 20_ps);
    PowerTimes times;
    times.add(power, PowerState::kLowPower, 42_ps);
    EXPECT_EQ(times.energy(power), 40U * 70 + 2U * 90);
}

TEST(PowerTimes, WeighEnergyBeyond64Bits) {
    PowerDescription power = two_modes();
    power.on_uw = 1'000'000'000'000;
    PowerTimes times;
    times.add(power, PowerState::kActive, Duration{kForever.ps});
    EXPECT_EQ(times.energy(power), static_cast<Energy>(kForever.ps) * 1'000'000'000'000ULL);
}

TEST(IdleHistogram, HasEightClassesADoubling) {
    EXPECT_EQ(IdleHistogram::class_of(0_ps), 0U);
    EXPECT_EQ(IdleHistogram::class_of(1023_ps), 0U);
    for (std::uint32_t place = 1; place < IdleHistogram::kClasses; ++place) {
        const Duration begin = IdleHistogram::begin_of(place);
        EXPECT_EQ(IdleHistogram::class_of(begin), place);
        EXPECT_EQ(IdleHistogram::class_of(begin - 1_ps), place - 1);
    }
    EXPECT_EQ(IdleHistogram::begin_of(1), 1024_ps);
    EXPECT_EQ(IdleHistogram::begin_of(2), 1152_ps);
    EXPECT_EQ(IdleHistogram::begin_of(9), 2048_ps);
    IdleHistogram histogram;
    histogram.add(1030_ps);
    histogram.add(1100_ps);
    EXPECT_EQ(histogram.count(1), 2U);
    EXPECT_EQ(histogram.total(1), 2130_ps);
}

}  // namespace
}  // namespace kumi::network
