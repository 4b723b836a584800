#include "network/routing/route_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "network/testing/network_under_test.hpp"

namespace kumi::network {
namespace {

/// Routes as a function says.
class RoutingBy final : public Routing {
   public:
    using Function = std::function<std::vector<LinkId>(HostId, HostId)>;
    explicit RoutingBy(Function function) : x_function(std::move(function)) {}
    void route(HostId source, HostId target, std::vector<LinkId>& links) const override {
        links = x_function(source, target);
    }

   private:
    Function x_function;
};

/// Hosts 0, 1, 2 and the switches 3 and 4: 0 -> 3 -> 1, 3 -> 2, and 2 -> 4 -> 0.
FabricDescription small_fabric() {
    FabricDescription fabric{.hosts = 3, .switches = 2};
    constexpr std::pair<std::uint32_t, std::uint32_t> kEnds[] = {{0, 3}, {3, 1}, {3, 2}, {2, 4},
                                                                 {4, 0}, {1, 3}, {3, 0}, {4, 1}};
    for (const auto& [source, target] : kEnds) fabric.links.push_back({source, target, 1000, {}});
    return fabric;
}

std::vector<LinkId> good_route(HostId source, HostId target) {
    if (source == 2) return target == 0 ? std::vector<LinkId>{3, 4} : std::vector<LinkId>{3, 7};
    const LinkId first = source == 0 ? 0 : 5;
    return {first, target == 0 ? 6U : target};
}

std::string complaint(const RoutingBy::Function& route) {
    ArenaForTests arena;
    return complaint_of([&] { RouteTable(*arena, small_fabric(), RoutingBy(route)); });
}

/// `good_route`, but for one pair.
RoutingBy::Function with(HostId source, HostId target, const std::vector<LinkId>& path) {
    return [=](HostId from, HostId to) {
        return from == source && to == target ? path : good_route(from, to);
    };
}

std::vector<LinkId> links_of(const Path& path) { return {path.links, path.links + path.length}; }

TEST(RouteTable, HoldsEveryPathAndThoseToOneselfAreLoopbacks) {
    ArenaForTests arena;
    const RouteTable table(*arena, small_fabric(), RoutingBy(good_route));
    for (HostId source = 0; source < 3; ++source) {
        for (HostId target = 0; target < 3; ++target) {
            const auto expected =
                source == target ? std::vector<LinkId>{8 + source} : good_route(source, target);
            EXPECT_EQ(links_of(table.path(source, target)), expected);
        }
    }
}

TEST(RouteTable, HostsNeedNotBeConnected) {
    ArenaForTests arena;
    const RouteTable table(*arena, small_fabric(), RoutingBy(with(0, 1, {})));
    EXPECT_EQ(table.path(0, 1).length, 0U);
    EXPECT_EQ(links_of(table.path(0, 2)), good_route(0, 2));
}

/// Hosts that are not used are asked for no path, which might not be one.
TEST(RouteTable, HoldsThePathsOfUsedHosts) {
    ArenaForTests arena;
    const HostId used[] = {2, 0};
    const RouteTable table(*arena, small_fabric(), RoutingBy(with(0, 1, {0})), used);
    EXPECT_EQ(links_of(table.path(0, 2)), good_route(0, 2));
    EXPECT_EQ(links_of(table.path(2, 0)), good_route(2, 0));
    EXPECT_EQ(table.path(0, 1).length, 0U);
    EXPECT_EQ(table.path(1, 2).length, 0U);
    for (HostId host = 0; host < 3; ++host)
        EXPECT_EQ(links_of(table.path(host, host)), std::vector<LinkId>{8 + host});
    EXPECT_TRUE(std::ranges::equal(table.used(), std::vector<HostId>{0, 2}));
}

TEST(RouteTable, RefusesWhatIsNoPath) {
    EXPECT_EQ(complaint(good_route), "");
    EXPECT_EQ(complaint(with(0, 1, {0, 99})), "the path from host0 to host1 uses a missing link");
    EXPECT_EQ(complaint(with(0, 1, {0, 7})), "the path from host0 to host1 is not connected");
    EXPECT_EQ(complaint(with(0, 1, {5, 1})), "the path from host0 to host1 is not connected");
    EXPECT_EQ(complaint(with(0, 1, {0, 2})), "the path from host0 to host1 ends elsewhere");
    EXPECT_EQ(complaint(with(0, 1, {0})), "the path from host0 to host1 ends elsewhere");
    EXPECT_EQ(complaint(with(0, 1, {0, 2, 3, 7})), "the path from host0 to host1 crosses a host");
}

TEST(TransitPath, IsTheSameForShortAndLongPaths) {
    std::vector<LinkId> links;
    for (LinkId length = 1; length < 10; ++length) {
        links.push_back(100 + length);
        const TransitPath path(Path{links.data(), length});
        for (LinkId hop = 0; hop < length; ++hop) EXPECT_EQ(path[hop], links[hop]);
    }
}

TEST(TransitPath, OfACopyDoesNotNeedTheOriginal) {
    ArenaForTests arena;
    std::vector<LinkId> links;
    for (LinkId length = 1; length < 40; ++length) {
        links.push_back(100 + length);
        std::vector<LinkId> original = links;
        TransitPath path = TransitPath::copy_of(Path{original.data(), length}, *arena);
        original.assign(length, 0);
        for (LinkId hop = 0; hop < length; ++hop) EXPECT_EQ(path[hop], links[hop]);
        path.release_copy(*arena);
    }
    // Blocks of one size are used again.
    const std::size_t used = arena->used_bytes();
    TransitPath::copy_of(Path{links.data(), 39}, *arena).release_copy(*arena);
    EXPECT_EQ(arena->used_bytes(), used);
}

TEST(RouteTable, HasRoomForSoManyHosts) {
    FabricDescription fabric;
    fabric.hosts = 4097;
    ArenaForTests arena;
    EXPECT_THROW(RouteTable(*arena, fabric, RoutingBy(good_route)), std::invalid_argument);
    const HostId used[] = {0, 4096};
    const RouteTable table(*arena, fabric,
                           RoutingBy([](HostId, HostId) { return std::vector<LinkId>{}; }), used);
    EXPECT_EQ(table.used().size(), 2U);
}

}  // namespace
}  // namespace kumi::network
