#include "network/routing/non_minimal_routes.hpp"

namespace kumi::network {

NonMinimalRoutes::NonMinimalRoutes(Arena& arena, const FabricDescription& fabric)
    : x_shape(fabric.dragonfly.value_or(DragonflyShape{})),
      x_compares(fabric.route_policy == RoutePolicy::kUgal),
      x_streams(fabric.seed, "network.detours"),
      x_draws(arena.make_array<std::uint64_t>(fabric.hosts)),
      x_turns(arena.make_array<std::uint64_t>(fabric.hosts)),
      x_lines(arena.make_array<engine::RingQueue<std::uint32_t>>(fabric.hosts)) {}

bool NonMinimalRoutes::leads_elsewhere(HostId source, HostId target) const {
    const std::uint32_t from = x_shape.group_of(x_shape.switch_of(source));
    const std::uint32_t to = x_shape.group_of(x_shape.switch_of(target));
    return from != to && x_shape.groups > 2;
}

DragonflyPath NonMinimalRoutes::draw(HostId source, HostId target) {
    RandomStream random = x_streams.of(source).stream(x_draws[source]++);
    const std::uint32_t from = x_shape.group_of(x_shape.switch_of(source));
    const std::uint32_t to = x_shape.group_of(x_shape.switch_of(target));
    // One of the groups but two: the numbers from either of them on move up by one.
    auto group = static_cast<std::uint32_t>(random.below(x_shape.groups - 2));
    if (group >= (from < to ? from : to)) ++group;
    if (group >= (from < to ? to : from)) ++group;
    const auto first_cable = static_cast<std::uint32_t>(random.below(x_shape.rounds));
    const auto second_cable = static_cast<std::uint32_t>(random.below(x_shape.rounds));
    return x_shape.over(group, first_cable, second_cable, source, target);
}

bool NonMinimalRoutes::is_worth(Duration other_load, std::uint32_t other_length,
                                Duration minimal_load, std::uint32_t minimal_length) {
    __extension__ using Wide = __int128;
    return static_cast<Wide>(other_load.ps) * (other_length - 2) <
           static_cast<Wide>(minimal_load.ps) * (minimal_length - 2);
}

}  // namespace kumi::network
