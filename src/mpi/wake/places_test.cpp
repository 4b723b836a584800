#include "mpi/wake/places.hpp"

#include <gtest/gtest.h>

namespace kumi::mpi::wake {
namespace {

using namespace literals;

constexpr Instant at(Duration since_start) { return Instant{} + since_start; }
const char place = 0;

TEST(Places, TheFirstTimeALoopIsRunNearlyToItsEnd) {
    Places places;
    EXPECT_EQ(places.begin_loop(&place, 100, at(0_us)), 99);
    EXPECT_EQ(places.pass(&place, at(99_us)), 1_us);
}

TEST(Places, TheTimeThatIsNeededBecomesIterations) {
    Places places;
    places.begin_loop(&place, 100, at(0_us));
    places.pass(&place, at(99_us));
    places.need(&place, 8_us);
    // 8 µs and an eighth, in whole iterations of 1 µs, and one more.
    EXPECT_EQ(places.begin_loop(&place, 100, at(200_us)), 90);
    EXPECT_EQ(places.pass(&place, at(290_us)), 10_us);
    EXPECT_EQ(places.ahead(Places::event(&place)), 10_us);
    EXPECT_EQ(places.begin_loop(&place, 1000, at(400_us)), 990);
}

TEST(Places, AShortLoopHasItsPlaceAtItsBeginning) {
    Places places;
    places.begin_loop(&place, 100, at(0_us));
    places.pass(&place, at(99_us));
    places.need(&place, 8_us);
    EXPECT_EQ(places.begin_loop(&place, 5, at(200_us)), 0);
    EXPECT_EQ(places.pass(&place, at(200_us)), 5_us) << "as long as iterations took before";
    EXPECT_EQ(places.begin_loop(&place, 0, at(300_us)), 0);
}

TEST(Places, ALoopThatEndsSomewhereIsTakenToEndWhereItEndedBefore) {
    Places places;
    EXPECT_EQ(places.begin_loop(&place, -1, at(0_us)), 0);
    places.pass(&place, at(0_us));
    places.end_loop(&place, 50);
    EXPECT_EQ(places.begin_loop(&place, -1, at(100_us)), 49);
}

TEST(Places, AWakeThatIsEarlyEnoughNeedsNoIterations) {
    Places places;
    places.begin_loop(&place, 100, at(0_us));
    places.pass(&place, at(99_us));
    places.need(&place, Duration{} - 5_us);
    EXPECT_EQ(places.begin_loop(&place, 100, at(200_us)), 99);
}

TEST(Places, APlaceThatIsInNoLoopIsWhereItIs) {
    Places places;
    EXPECT_EQ(places.pass(&place, at(5_us)), 0_us);
    EXPECT_EQ(places.ahead(12345), 0_us) << "no place";
}

}  // namespace
}  // namespace kumi::mpi::wake
