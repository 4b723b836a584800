// How long the engine takes for one hop: one packet over one link, with everything that belongs to
// it (event queue, reservation, statistics, use over time, hash). Times of day decide nothing here;
// the numbers are reported, never tested.

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "base/random/random_stream.hpp"
#include "base/testing/arena_for_tests.hpp"
#include "network/network.hpp"
#include "network/topology/topology.hpp"

namespace kumi::bench {
namespace {

constexpr double kAimNanoseconds = 100;

struct CountingSink {
    std::uint64_t arrivals = 0;
    void arrived(Instant, std::uint64_t) { ++arrivals; }
};

struct BenchMessage {
    std::uint32_t source, target;
    std::uint32_t delay_ps;
    std::uint32_t size_bytes;
};
using Round = std::vector<BenchMessage>;

Round ring(std::uint32_t hosts) {
    Round round;
    for (std::uint32_t host = 0; host < hosts; ++host) {
        round.push_back({host, (host + 1) % hosts, 0, 1024});
    }
    return round;
}

Round all_to_all(std::uint32_t hosts) {
    Round round;
    for (std::uint32_t host = 0; host < hosts; ++host) {
        for (std::uint32_t step = 1; step < hosts; ++step) {
            round.push_back({host, (host + step) % hosts, 0, 1024});
        }
    }
    return round;
}

Round incast(std::uint32_t hosts) {
    Round round;
    for (std::uint32_t host = 1; host < hosts; ++host) round.push_back({host, 0, 0, 1024});
    return round;
}

/// Nothing regular: a branch predictor learns as little as from a real program.
Round any_to_any(std::uint32_t hosts) {
    RandomStream random = RandomStreams(1, "bench").stream();
    Round round;
    for (std::uint32_t i = 0; i < 16 * hosts; ++i) {
        const std::uint32_t source = i % hosts;
        const auto step = static_cast<std::uint32_t>(1 + random.below(hosts - 1));
        const auto jitter_ps = static_cast<std::uint32_t>(random.below(100'000));
        const auto size_bytes = static_cast<std::uint32_t>(random.below(4096));
        round.push_back(
            {source, (source + step) % hosts, i / hosts * 1'000'000 + jitter_ps, size_bytes});
    }
    return round;
}

network::TopologyParameters star(std::uint32_t hosts) {
    return {"star", {{"hosts", hosts}}, {100'000'000'000, {100'000}}, {}};
}

network::TopologyParameters tree(std::uint32_t hosts) {
    return {"tree",
            {{"leaves", hosts / 16}, {"hosts_per_leaf", 16}, {"spines", 8}},
            {100'000'000'000, {100'000}},
            {}};
}

/// Sixteen switches along the first dimension.
network::TopologyParameters torus(std::uint32_t hosts) {
    return {"torus",
            {{"sizes", network::Numbers({16, hosts / 16})}, {"hosts_per_switch", 1}},
            {100'000'000'000, {100'000}},
            {}};
}

std::uint64_t packets_so_far(const network::Network& network) {
    std::uint64_t packets = 0;
    for (network::LinkId link = 0; link < network.links(); ++link) {
        packets += network.link_statistics(link).packets;
    }
    return packets;
}

/// Plays rounds of messages; each begins when the network is idle, as after a barrier.
void play(benchmark::State& state, const network::TopologyParameters& parameters,
          const Round& round, std::uint64_t packet_bytes, std::uint64_t buffer_bytes = 0) {
    ArenaForTests arena(std::size_t{4} << 30);
    const auto topology = network::make_topology(parameters);
    network::FabricDescription fabric = topology->describe();
    fabric.packet_bytes = packet_bytes;
    fabric.buffering = {.buffer_bytes = buffer_bytes,
                        .channels = topology->channels(network::RoutePolicy::kMinimal)};
    network::Network* network = network::Network::create(*arena, fabric, *topology);
    std::vector<std::uint64_t> next_sequence(fabric.hosts);
    CountingSink sink;
    std::uint64_t messages = 0;
    for (auto _ : state) {
        const Instant begin = network->now();
        for (const BenchMessage& message : round) {
            const bool is_on_its_way = network->inject(
                begin + Duration{message.delay_ps}, message.source, message.target,
                message.size_bytes, message.source, next_sequence[message.source]++, 0);
            KUMI_ASSERT(is_on_its_way, "every two hosts are connected");
        }
        while (network->next_event_time() != kNever) network->execute_next(sink);
        messages += round.size();
    }
    if (sink.arrivals != messages) state.SkipWithError("messages were lost");
    const auto hops = static_cast<double>(packets_so_far(*network));
    // An inverted rate is the time divided by the counter.
    const auto per = benchmark::Counter::kIsRate | benchmark::Counter::kInvert;
    state.counters["per_hop"] = benchmark::Counter(hops, per);
    state.counters["per_message"] = benchmark::Counter(static_cast<double>(messages), per);
    state.counters["hops"] = hops;
}

/// The event queue alone: take one event, put in one that is somewhat later.
void hold(benchmark::State& state) {
    ArenaForTests arena;
    engine::EventQueue queue(&*arena);
    RandomStream random = RandomStreams(1, "bench").stream();
    const auto size = static_cast<std::uint64_t>(state.range(0));
    std::uint64_t sequence = 0;
    const auto push = [&](std::int64_t time_ps) {
        queue.push(
            {engine::EventKey::of(Instant{time_ps}, engine::EventClass::kForward, 0, sequence++),
             0});
    };
    // Drawn in advance: the queue is to be measured, not the generator.
    std::array<std::int64_t, 4096> delays_ps{};
    for (std::int64_t& delay_ps : delays_ps) {
        delay_ps = static_cast<std::int64_t>(random.below(1'000'000));
    }
    const auto delay_ps = [&] { return delays_ps[sequence % delays_ps.size()]; };
    for (std::uint64_t i = 0; i < size; ++i) push(delay_ps());
    for (auto _ : state) {
        const engine::Event event = queue.take();
        push(event.key.time.ps + delay_ps());
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(hold)->Name("event_queue/hold")->RangeMultiplier(8)->Range(8, 32768);

/// Remembers the time of each hop for the summary.
class SummingReporter final : public benchmark::ConsoleReporter {
   public:
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            const auto counter = run.counters.find("per_hop");
            if (counter == run.counters.end()) continue;
            x_logarithms += std::log(counter->second.value * 1e9);
            ++x_count;
        }
        ConsoleReporter::ReportRuns(runs);
    }
    void print_summary() const {
        if (x_count == 0) return;
        const double mean = std::exp(x_logarithms / x_count);
        std::printf(
            "overall: %.1f ns per hop (geometric mean of %d cases), %.2f of the aim of %.0f ns\n",
            mean, x_count, mean / kAimNanoseconds, kAimNanoseconds);
    }

   private:
    double x_logarithms = 0;
    int x_count = 0;
};

void register_cases() {
    struct Pattern {
        const char* name;
        Round (*round)(std::uint32_t hosts);
    };
    for (const Pattern& pattern : {Pattern{"ring", ring}, Pattern{"all_to_all", all_to_all},
                                   Pattern{"incast", incast}, Pattern{"any_to_any", any_to_any}}) {
        for (const std::uint32_t hosts : {2, 16, 64, 256, 512}) {
            const std::string name =
                std::string("star/") + pattern.name + "/" + std::to_string(hosts);
            benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
                play(state, star(hosts), pattern.round(hosts), 0);
            });
        }
    }
    benchmark::RegisterBenchmark("tree/any_to_any/256", [](benchmark::State& state) {
        play(state, tree(256), any_to_any(256), 0);
    });
    benchmark::RegisterBenchmark("tree/any_to_any/256/packets_of_256", [](benchmark::State& state) {
        play(state, tree(256), any_to_any(256), 256);
    });
    for (const std::uint64_t buffer_bytes : {0U, 1U << 14}) {
        const std::string name = std::string("torus/any_to_any/256/packets_of_4096/") +
                                 (buffer_bytes == 0 ? "none" : "credits");
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
            play(state, torus(256), any_to_any(256), 4096, buffer_bytes);
        });
    }
}

}  // namespace
}  // namespace kumi::bench

int main(int argc, char** argv) {
    kumi::bench::register_cases();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    kumi::bench::SummingReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    reporter.print_summary();
    return 0;
}
