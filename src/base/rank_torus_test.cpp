#include "base/rank_torus.hpp"

#include <gtest/gtest.h>

namespace kumi::inline base {
namespace {

TEST(RankTorus, FirstCoordinateCountsFastest) {
    const RankTorus torus({8, 12, 4});
    EXPECT_EQ(torus.ranks(), 384u);
    EXPECT_EQ(torus.coordinate(8 + 1, 0), 1u);
    EXPECT_EQ(torus.coordinate(8 + 1, 1), 1u);
    EXPECT_EQ(torus.moved(7, 0, 1), 0u);
    EXPECT_EQ(torus.moved(0, 0, -4), 4u);
    EXPECT_EQ(torus.moved(0, 1, -1), 88u);
    EXPECT_EQ(torus.moved(383, 2, 1), 95u);
}

}  // namespace
}  // namespace kumi::inline base
