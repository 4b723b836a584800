// Messages per CPU second of a replay on one core, with contention on every link. Times of day
// decide nothing here; the numbers are reported, never tested.

#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "replay_workloads.hpp"
#include "schedule/patterns/patterns.hpp"

namespace kumi::bench {
namespace {

/// What LogGOPSim, which has no links, was measured at on a computer of this kind; see
/// docs/benchmarks.md.
constexpr double kLogGopsimPerSecond = 1.3e6;

struct Case {
    std::string name;
    std::function<ReplayCost()> run;
};

auto star(std::uint32_t hosts) {
    return network::make_topology({"star",
                                   {{"hosts", hosts}},
                                   network::LinkParameters{100'000'000'000, Duration{500'000}},
                                   {}});
}

ReplayCost alltoall(const char* pattern, std::uint32_t ranks) {
    const schedule::Schedule schedule =
        schedule::generate(pattern, {.ranks = ranks, .size_bytes = 1024});
    return measure_replay(schedule, *star(ranks),
                          {.endpoint = {.eager_limit_bytes = 65536, .control_bytes = 32}});
}

ReplayCost shift(Synchronisation synchronisation) {
    const schedule::Schedule schedule = torus_shift(16, 30, 4, 8192, synchronisation);
    return measure_replay(schedule, *torus({16, 16, 16}),
                          {.endpoint = {.eager_limit_bytes = 65536, .control_bytes = 32}});
}

ReplayCost with_software(const char* pattern, std::uint32_t ranks) {
    const schedule::Schedule schedule =
        schedule::generate(pattern, {.ranks = ranks, .size_bytes = 1024});
    return measure_replay(schedule, *star(ranks),
                          {.endpoint = {.eager_limit_bytes = 65536,
                                        .control_bytes = 32,
                                        .send_overhead = Duration{200'000},
                                        .receive_overhead = Duration{300'000},
                                        .matching = matching::CostModel::list(Duration{5'000})}});
}

std::vector<Case> cases() {
    return {
        {"all-to-all of 1,024, pairwise", [] { return alltoall("alltoall/pairwise", 1024); }},
        {"all-to-all of 1,024, pre-posted", [] { return alltoall("alltoall/linear", 1024); }},
        {"the same with costs of software", [] { return with_software("alltoall/linear", 1024); }},
        {"torus 16^3, 30 shifts, not in step", [] { return shift(Synchronisation::kNone); }},
        {"torus 16^3, 30 shifts, in step", [] { return shift(Synchronisation::kInstant); }},
    };
}

void report(const Case& about) {
    const ReplayCost cost = about.run();
    const double per_second = static_cast<double>(cost.messages) / cost.replay_s;
    const double per_hop_ns = cost.replay_s * 1e9 / static_cast<double>(cost.hops);
    std::printf("%-36s %9llu %7.2f s %7.2f s %10.0f k/s %7.0f ns %8.2f\n", about.name.c_str(),
                static_cast<unsigned long long>(cost.messages), cost.build_s, cost.replay_s,
                per_second / 1e3, per_hop_ns, per_second / kLogGopsimPerSecond);
    std::fflush(stdout);
}

}  // namespace
}  // namespace kumi::bench

/// Arguments: words; only cases whose names contain one of them are run.
int main(int argc, char** argv) {
    std::printf("%-36s %9s %9s %9s %14s %10s %8s\n", "", "messages", "build", "replay", "messages",
                "a hop", "of aim");
    for (const kumi::bench::Case& about : kumi::bench::cases()) {
        bool wanted = argc == 1;
        for (int i = 1; i < argc; ++i)
            wanted |= std::strstr(about.name.c_str(), argv[i]) != nullptr;
        if (wanted) kumi::bench::report(about);
    }
    return 0;
}
