// How a replay grows: one halo exchange after the other on tori (or a dragonfly) of more and more
// hosts, a rank on each. Prints time, memory and the cost of a message on one link. Numbers are
// reported, never tested.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "replay_workloads.hpp"
#include "schedule/patterns/patterns.hpp"

namespace kumi::bench {
namespace {

struct Platform {
    const char* name;
    std::uint32_t hosts;
    network::TopologyParameters topology;
};

network::TopologyParameters torus_of(const network::Numbers& sizes) {
    return {"torus",
            {{"sizes", sizes}, {"hosts_per_switch", 1}},
            network::LinkParameters{100'000'000'000, Duration{100'000}},
            {}};
}

network::TopologyParameters dragonfly_of(std::uint64_t groups, std::uint64_t switches,
                                         std::uint64_t global, std::uint64_t hosts) {
    return {"dragonfly",
            {{"groups", groups},
             {"switches_per_group", switches},
             {"global_links_per_switch", global},
             {"hosts_per_switch", hosts}},
            network::LinkParameters{100'000'000'000, Duration{100'000}},
            {}};
}

std::vector<Platform> platforms() {
    return {
        {"torus 2x2x4", 16, torus_of({2, 2, 4})},
        {"torus 4x4x4", 64, torus_of({4, 4, 4})},
        {"torus 4x8x8", 256, torus_of({4, 8, 8})},
        {"torus 8x8x16", 1024, torus_of({8, 8, 16})},
        {"torus 16x16x16", 4096, torus_of({16, 16, 16})},
        {"torus 16x32x32", 16384, torus_of({16, 32, 32})},
        {"torus 32x32x64", 65536, torus_of({32, 32, 64})},
        {"torus 64x64x64", 262144, torus_of({64, 64, 64})},
        {"torus 64x128x128", 1048576, torus_of({64, 128, 128})},
        {"dragonfly 1024x32x32", 1048576, dragonfly_of(1024, 32, 32, 32)},
    };
}

void run(const Platform& platform, std::uint32_t steps) {
    const double begin = cpu_seconds();
    const schedule::Schedule schedule = schedule::generate(
        "halo/3d", {.ranks = platform.hosts, .size_bytes = 8192, .compute = Duration{1'000'000}},
        steps);
    const double generated = cpu_seconds();
    const ReplayCost cost = measure_replay(schedule, *network::make_topology(platform.topology),
                                           {.endpoint = {.eager_limit_bytes = 65536,
                                                         .control_bytes = 32,
                                                         .send_overhead = Duration{100'000},
                                                         .receive_overhead = Duration{100'000}}});
    std::printf("%-22s %8u %10llu %8.2f %8.2f %9.2f %9.0f %9.0f %7.2f  %016llx\n", platform.name,
                platform.hosts, static_cast<unsigned long long>(cost.messages), generated - begin,
                cost.build_s, cost.replay_s,
                static_cast<double>(cost.messages) / cost.replay_s / 1e3,
                cost.replay_s * 1e9 / static_cast<double>(cost.hops), peak_gib(),
                static_cast<unsigned long long>(cost.event_hash));
}

}  // namespace
}  // namespace kumi::bench

/// Arguments: the place of a network in the list, and how many steps; without any, the list with
/// the number of hosts of each.
int main(int argc, char** argv) {
    const auto platforms = kumi::bench::platforms();
    if (argc != 3) {
        for (const auto& platform : platforms)
            std::printf("%s %u\n", platform.name, platform.hosts);
        return 0;
    }
    kumi::bench::run(platforms.at(std::strtoul(argv[1], nullptr, 10)),
                     static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)));
    return 0;
}
