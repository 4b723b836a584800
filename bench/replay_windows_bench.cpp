// What a replay could gain from a second core. A torus in two halves, which do not talk to each
// other: replayed one after the other, then by two threads that need not wait for each other, as
// independent parts of a schedule, then by two threads that meet after each stretch of the smallest
// latency between links, as conservative windows would have to. Nothing crosses between the
// threads, so that the last is the most that windows could reach. Numbers are reported, never
// tested.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "replay_workloads.hpp"
#include "schedule/patterns/patterns.hpp"

namespace kumi::bench {
namespace {

constexpr Duration kLinkLatency{100'000};

/// One half of the network, with all that happens there.
class Half {
   public:
    Half(const network::Numbers& sizes, std::uint32_t ranks, std::uint32_t steps)
        : x_topology(torus(sizes)),
          x_schedule(schedule::generate(
              "halo/3d", {.ranks = ranks, .size_bytes = 8192, .compute = Duration{1'000'000}},
              steps)),
          x_replay(x_schedule,
                   {.endpoint = {.eager_limit_bytes = 65536,
                                 .control_bytes = 32,
                                 .send_overhead = Duration{100'000},
                                 .receive_overhead = Duration{100'000}}},
                   x_topology->describe(), *x_topology) {
        x_replay.advance(1);
    }

    void run() {
        while (x_replay.advance(1 << 16)) continue;
    }
    /// Until the end of a window; false if nothing is left.
    bool run_until(Instant end) {
        bool is_left = true;
        while (is_left && x_replay.network().next_event_time() < end) is_left = x_replay.advance(1);
        return is_left;
    }
    const schedule::Replay& replay() const { return x_replay; }

   private:
    std::unique_ptr<network::Topology> x_topology;
    schedule::Schedule x_schedule;
    schedule::Replay x_replay;
};

/// Where two threads wait for each other.
class Meeting {
   public:
    /// Whether one of the two has something left to do.
    bool meet(bool is_left) {
        if (is_left) x_is_left.store(true);
        const std::uint32_t round = x_round.load();
        if (x_arrived.fetch_add(1) == 1) {
            x_arrived.store(0);
            x_goes_on.store(x_is_left.exchange(false));
            x_round.store(round + 1);
        }
        // The other one may have no core for itself.
        for (std::uint32_t looks = 0; x_round.load() == round; ++looks) {
            if (looks > 1000) std::this_thread::yield();
        }
        return x_goes_on.load();
    }

   private:
    std::atomic<std::uint32_t> x_arrived{0};
    std::atomic<std::uint32_t> x_round{0};
    std::atomic<bool> x_is_left{false};
    std::atomic<bool> x_goes_on{true};
};

struct Cost {
    double wall_s = 0, cpu_s = 0;
    std::uint64_t events = 0, windows = 0, hash = 0;
};

template <class Run>
Cost measure(const network::Numbers& sizes, std::uint32_t ranks, std::uint32_t steps, Run&& run) {
    Half first(sizes, ranks, steps), second(sizes, ranks, steps);
    Cost cost;
    const double cpu_begin_s = cpu_seconds();
    const auto begin = std::chrono::steady_clock::now();
    cost.windows = run(first, second);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    cost.wall_s = wall.count();
    cost.cpu_s = cpu_seconds() - cpu_begin_s;
    for (const Half* half : {&first, &second}) {
        cost.events += half->replay().network().event_count();
        cost.hash += half->replay().network().event_hash();
        if (!half->replay().is_complete()) throw std::runtime_error("a replay did not complete");
    }
    return cost;
}

std::uint64_t one_after_the_other(Half& first, Half& second) {
    first.run();
    second.run();
    return 0;
}

std::uint64_t side_by_side(Half& first, Half& second) {
    std::thread other([&] { second.run(); });
    first.run();
    other.join();
    return 0;
}

std::uint64_t in_windows(Half& first, Half& second) {
    Meeting meeting;
    const auto run = [&meeting](Half& half) {
        std::uint64_t windows = 1;
        Instant end = Instant{} + kLinkLatency;
        for (; meeting.meet(half.run_until(end)); ++windows) end += kLinkLatency;
        return windows;
    };
    std::thread other([&] { run(second); });
    const std::uint64_t windows = run(first);
    other.join();
    return windows;
}

void report(const network::Numbers& sizes, std::uint32_t steps) {
    std::uint32_t ranks = 1;
    for (const std::uint64_t size : sizes.values()) ranks *= static_cast<std::uint32_t>(size);
    const Cost alone = measure(sizes, ranks, steps, one_after_the_other);
    const Cost apart = measure(sizes, ranks, steps, side_by_side);
    const Cost windows = measure(sizes, ranks, steps, in_windows);
    std::printf("%9u hosts, %9llu events, %6.0f a window: one after the other %6.2f s", 2 * ranks,
                static_cast<unsigned long long>(alone.events),
                static_cast<double>(windows.events) / static_cast<double>(windows.windows),
                alone.wall_s);
    for (const auto& [name, cost] :
         {std::pair{"independent", apart}, std::pair{"windows", windows}}) {
        std::printf(", %s %6.2f s (%.2f times as fast, %.2f times the CPU time)", name, cost.wall_s,
                    alone.wall_s / cost.wall_s, cost.cpu_s / alone.cpu_s);
    }
    const bool is_one = alone.hash == apart.hash && alone.hash == windows.hash;
    std::printf(", %s\n", is_one ? "one event hash" : "event hashes differ");
    std::fflush(stdout);
}

}  // namespace
}  // namespace kumi::bench

int main() {
    kumi::bench::report({8, 8, 8}, 200);
    kumi::bench::report({8, 16, 16}, 60);
    kumi::bench::report({16, 32, 32}, 10);
    kumi::bench::report({32, 64, 64}, 3);
    return 0;
}
