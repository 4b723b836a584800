#include "network/routing/detours.hpp"

namespace kumi {
namespace {

/// The output function of SplitMix64 [Steele14].
std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31);
}

constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15ULL;

}  // namespace

Detours::Detours(Arena& arena, const FabricDescription& fabric)
    : x_shape(fabric.dragonfly.value_or(DragonflyShape{})),
      x_compares(fabric.route_policy == RoutePolicy::kUgal),
      x_seed(mix(fabric.seed + kGamma)),
      x_draws(arena.make_array<std::uint64_t>(fabric.hosts)),
      x_turns(arena.make_array<std::uint64_t>(fabric.hosts)),
      x_lines(arena.make_array<RingQueue<std::uint32_t>>(fabric.hosts)) {}

bool Detours::leads_elsewhere(HostId source, HostId target) const {
    const std::uint32_t from = x_shape.group_of(x_shape.switch_of(source));
    const std::uint32_t to = x_shape.group_of(x_shape.switch_of(target));
    return from != to && x_shape.groups > 2;
}

DragonflyPath Detours::draw(HostId source, HostId target) {
    // Each source has a stream of its own.
    const std::uint64_t begin = mix(x_seed + (source + 1) * kGamma);
    const std::uint64_t number = mix(begin + ++x_draws[source] * kGamma);
    const std::uint32_t from = x_shape.group_of(x_shape.switch_of(source));
    const std::uint32_t to = x_shape.group_of(x_shape.switch_of(target));
    // One of the groups but two: the numbers from either of them on move up by one.
    auto group = static_cast<std::uint32_t>((number >> 32) % (x_shape.groups - 2));
    if (group >= (from < to ? from : to)) ++group;
    if (group >= (from < to ? to : from)) ++group;
    const auto cables = static_cast<std::uint32_t>(number);
    return x_shape.over(group, cables % x_shape.rounds, cables / x_shape.rounds % x_shape.rounds,
                        source, target);
}

bool Detours::is_worth(Duration detour_load, std::uint32_t detour_length, Duration minimal_load,
                       std::uint32_t minimal_length) {
    __extension__ using Wide = __int128;
    return static_cast<Wide>(detour_load.ps) * (detour_length - 2) <
           static_cast<Wide>(minimal_load.ps) * (minimal_length - 2);
}

}  // namespace kumi
