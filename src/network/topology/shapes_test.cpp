// Fat trees and flies: their size and paths; and what is said of shapes that cannot be.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "network/testing/shape_under_test.hpp"

namespace kumi::network {
namespace {

TEST(FatTree, OfTwoLevelsIsATree) {
    const auto tree = make("fat_tree", {{"children", {4, 3}}, {"parents", {1, 2}}, {"cables", 1}});
    expect_size(tree->describe(), 12, 3 + 2, 2U * (12 + 3 * 2));
    EXPECT_EQ(names(*tree, 0, 3), (Names{"host0->switch0", "switch0->host3"}));
    EXPECT_EQ(names(*tree, 0, 11),
              (Names{"host0->switch0", "switch0->switch4", "switch4->switch2", "switch2->host11"}));
    EXPECT_TRUE(is_sound_and_shortest(*tree));
}

TEST(FatTree, TargetsSpreadOverParentsAndCables) {
    const auto tree =
        make("fat_tree", {{"children", {8, 2}}, {"parents", {1, 2}}, {"cables", {1, 2}}});
    std::map<std::string, int> up;
    std::map<std::string, int> down;
    for (HostId target = 8; target < 16; ++target) {
        const auto path = names(*tree, 0, target);
        ++up[path.at(1)];
        ++down[path.at(2)];
    }
    EXPECT_EQ(up, (std::map<std::string, int>{{"switch0->switch2", 2},
                                              {"switch0->switch2#1", 2},
                                              {"switch0->switch3", 2},
                                              {"switch0->switch3#1", 2}}));
    EXPECT_EQ(down.size(), 4U);
}

TEST(FatTree, ZeroLoadTimeIsTheClosedFormOfTheLevels) {
    const std::vector<LinkParameters> links = {{8'000'000'000, 30_ns}, {8'000'000'000, 70_ns}};
    const Lists numbers = {{"children", {2, 2, 2}}, {"parents", {1, 2, 2}}, {"cables", 1}};
    EXPECT_EQ(time_of("fat_tree", numbers, links, 0, 1, 500), 2 * 100_ns + 10_ns + 500_ns);
    EXPECT_EQ(time_of("fat_tree", numbers, links, 0, 3, 500), 2 * 130_ns + 3 * 10_ns + 500_ns);
    EXPECT_EQ(time_of("fat_tree", numbers, links, 0, 7, 500), 2 * 200_ns + 5 * 10_ns + 500_ns);
}

RC_GTEST_PROP(FatTree, PathsAreShortestWalks, ()) {
    const auto levels = *rc::gen::inRange<std::size_t>(1, 4);
    const auto some = [&](std::uint32_t most) {
        return *rc::gen::container<std::vector<std::uint32_t>>(
            levels, rc::gen::inRange<std::uint32_t>(1, most + 1));
    };
    const auto tree = make("fat_tree", {{"children", list_of(some(4))},
                                        {"parents", list_of(some(3))},
                                        {"cables", list_of(some(2))}});
    RC_ASSERT(is_sound_and_shortest(*tree));
}

TEST(Butterfly, HasOnePathOverAllStages) {
    const auto butterfly = make("butterfly", {{"radix", 2}, {"stages", 3}});
    expect_size(butterfly->describe(), 8, 12, 8U * 4);
    EXPECT_EQ(names(*butterfly, 0, 7), (Names{"host0->switch0", "switch0->switch6",
                                              "switch6->switch11", "switch11->host7"}));
    EXPECT_TRUE(is_sound_and_shortest(*butterfly));
    const Lists numbers = {{"radix", 2}, {"stages", 3}};
    for (HostId target = 1; target < 8; ++target) {
        EXPECT_EQ(time_of("butterfly", numbers, {{8'000'000'000, 40_ns}}, 0, target, 500),
                  2 * 100_ns + 2 * 40_ns + 3 * 10_ns + 500_ns);
    }
}

RC_GTEST_PROP(Butterfly, PathsAreTheOnlyWalks, ()) {
    const auto radix = *rc::gen::inRange<std::uint32_t>(2, 5);
    const auto stages = *rc::gen::inRange<std::uint32_t>(1, 4);
    const auto butterfly = make("butterfly", {{"radix", radix}, {"stages", stages}});
    RC_ASSERT(is_sound_and_shortest(*butterfly));
    RC_ASSERT(path_of(*butterfly, 0, 1).size() == stages + 1);
}

TEST(Shapes, ComplaintsSayWhatWasExpected) {
    EXPECT_EQ(complaint("torus", {{"sizes", 4}, {"hosts_per_switch", 1}}),
              "topology torus: sizes must be a list of numbers");
    EXPECT_EQ(complaint("torus", {{"sizes", {4, 0}}, {"hosts_per_switch", 1}}),
              "topology torus: sizes must be between 1 and 2097152, not 0");
    EXPECT_EQ(complaint("torus", {{"sizes", {2048, 2048}}, {"hosts_per_switch", 1}}),
              "topology torus: the number of switches must be at most 2097152");
    EXPECT_EQ(complaint("mesh", {{"sizes", {4, 4}}, {"hosts_per_switch", {1, 2}}}),
              "topology mesh: hosts_per_switch must be one number, not a list");
    EXPECT_EQ(
        complaint("mesh", {{"sizes", {4, 4, 4}}, {"hosts_per_switch", 1}}, {kHostLink, kHostLink}),
        "topology mesh has 3 kinds of links between switches, but 2 are described");
    EXPECT_EQ(complaint("fat_tree", {{"children", {4, 4}}, {"parents", {1}}, {"cables", 1}}),
              "topology fat_tree: parents must have 2 numbers, not 1");
    EXPECT_EQ(complaint("butterfly", {{"radix", 2}, {"stages", 0}}),
              "topology butterfly: stages must be between 1 and 20, not 0");
    EXPECT_EQ(complaint("butterfly", {{"radix", 4000}, {"stages", 3}}),
              "topology butterfly: radix ^ stages must be at most 2097152");
}

}  // namespace
}  // namespace kumi::network
