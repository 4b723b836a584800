// Messages per second of a replay on one core: schedules of many ranks on a star.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>

#include "network/topology/topology.hpp"
#include "schedule/collectives/pattern.hpp"
#include "schedule/replay.hpp"

namespace kumi {
namespace {

void replay_pattern(benchmark::State& state, const std::string& pattern, std::uint32_t iterations) {
    const auto ranks = static_cast<std::uint32_t>(state.range(0));
    const Schedule schedule =
        generate(pattern, {.ranks = ranks, .size_bytes = 1024, .distance = 4}, iterations);
    const auto topology = make_topology(
        {"star", {{"hosts", ranks}}, LinkParameters{100'000'000'000, Duration{500'000}}, {}});
    const FabricDescription fabric = topology->describe();
    const ReplayParameters parameters{.eager_limit_bytes = 65536, .control_bytes = 32};
    std::uint64_t messages = 0;
    for (auto _ : state) {
        // Building the network and its table of paths is no part of the replay's speed.
        state.PauseTiming();
        auto replay = std::make_unique<Replay>(schedule, parameters, fabric, *topology);
        state.ResumeTiming();
        while (replay->advance(1 << 20)) continue;
        state.PauseTiming();
        if (!replay->is_complete()) state.SkipWithError("the replay did not complete");
        messages += replay->network().counters().arrived_messages;
        replay.reset();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(messages));
}

BENCHMARK_CAPTURE(replay_pattern, pairwise_alltoall, "alltoall/pairwise", 1)->Arg(64)->Arg(1024);
BENCHMARK_CAPTURE(replay_pattern, linear_alltoall, "alltoall/linear", 1)->Arg(64)->Arg(1024);
BENCHMARK_CAPTURE(replay_pattern, shift, "shift/direct", 30)->Arg(4096);

}  // namespace
}  // namespace kumi

BENCHMARK_MAIN();
