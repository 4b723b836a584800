// Which links of a message's path corrupt bits.

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "network/channel/axis_errors.hpp"
#include "network/testing/network_under_test.hpp"

namespace kumi::network {
namespace {

LinkNoise noise_of(const char* modulation, double db) {
    return {make_channel(*find_modulation(modulation), ratio_of_db(db)), BitOrder::kInOrder};
}

/// Hop and bits of an axis of each noisy link.
std::vector<std::pair<std::uint32_t, std::uint32_t>> hops(const Network& network, HostId source,
                                                          HostId target) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    network.visit_noisy_hops(source, target, [&](std::uint32_t hop, const LinkNoise& noise) {
        found.emplace_back(hop, noise.channel.modulation.bits_per_axis);
    });
    return found;
}

/// Links at hosts have noise 2, global ones 1, local ones none.
PlatformUnderTest dragonfly(bool finds_paths) {
    PlatformUnderTest platform{.kind = "dragonfly", .numbers = dragonfly_numbers(3, 2, 1, 1)};
    platform.link.noise = 2;
    platform.switch_links = {platform.link, platform.link};
    platform.switch_links[0].noise = 0;
    platform.switch_links[1].noise = 1;
    platform.noises = {noise_of("pam4", 20), noise_of("qam1024", 37.5)};
    platform.finds_paths = finds_paths;
    return platform;
}

TEST(NoisyHops, AreThoseOfTheClassesOfLinksOnThePath) {
    for (const bool finds_paths : {false, true}) {
        NetworkUnderTest network(dragonfly(finds_paths));
        ASSERT_TRUE(network->has_noise());
        using Hops = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
        EXPECT_EQ(hops(*network, 0, 0), Hops{});
        EXPECT_EQ(hops(*network, 0, 1), (Hops{{0, 5}, {2, 5}}));
        // Of all pairs of groups, one pair of switches has a cable: host, global, host.
        EXPECT_EQ(hops(*network, 0, 2), (Hops{{0, 5}, {1, 2}, {2, 5}}));
        // The others need a local link too, before or behind.
        EXPECT_EQ(hops(*network, 0, 3), (Hops{{0, 5}, {1, 2}, {3, 5}}));
    }
}

TEST(NoisyHops, AreNoneWithoutNoise) {
    NetworkUnderTest network(PlatformUnderTest{});
    EXPECT_FALSE(network->has_noise());
    EXPECT_TRUE(hops(*network, 0, 1).empty());
}

TEST(NoisyHops, ANoiseThatIsNotDescribedIsRefused) {
    PlatformUnderTest platform;
    platform.link.noise = 1;
    EXPECT_THROW(NetworkUnderTest{platform}, std::invalid_argument);
}

}  // namespace
}  // namespace kumi::network
