#include "conductor/rank_data/matching_sites.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

namespace kumi::conductor {
namespace {

TEST(MatchingSites, HaveNumbersFromOneOnUntilThereIsNoRoom) {
    const auto sites = std::make_unique<MatchingSites>();
    for (std::uint32_t number = 1; number < MatchingSites::kMost; ++number)
        ASSERT_EQ(sites->add("MPI_Recv", "/a", number), number);
    EXPECT_EQ(sites->add("MPI_Send", "/a", 7), 0U);
    EXPECT_EQ(sites->count, MatchingSites::kMost - 1);
    EXPECT_STREQ(sites->sites[0].function.text, "");
    EXPECT_STREQ(sites->sites[5].function.text, "MPI_Recv");
    EXPECT_STREQ(sites->sites[5].module, "/a");
    EXPECT_EQ(sites->sites[5].offset, 5U);
}

TEST(MatchingSites, APathThatIsTooLongIsLeftOut) {
    const auto sites = std::make_unique<MatchingSites>();
    const std::string fits(MatchingSite::kModuleBytes - 1, 'm');
    EXPECT_EQ(sites->add("MPI_Recv", fits, 1), 1U);
    EXPECT_EQ(sites->add("MPI_Recv", fits + 'm', 2), 2U);
    EXPECT_EQ(sites->sites[1].module, fits);
    EXPECT_STREQ(sites->sites[2].module, "");
}

}  // namespace
}  // namespace kumi::conductor
