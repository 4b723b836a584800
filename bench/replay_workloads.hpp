#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <memory>
#include <string>

#include "network/topology/topology.hpp"
#include "schedule/replay/replay.hpp"
#include "schedule/schedule_builder.hpp"

namespace kumi::bench {

/// User and system time of this process so far.
inline double cpu_seconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// The most memory that this process has had.
inline double peak_gib() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / (1 << 20);
}

/// What a replay took and did.
struct ReplayCost {
    double build_s = 0;  ///< Network and the state of all operations.
    double replay_s = 0;
    std::uint64_t messages = 0;
    std::uint64_t hops = 0;  ///< Packets over links.
    std::uint64_t event_hash = 0;
    Instant virtual_time{};
};

inline std::uint64_t hops_of(const network::Network& network) {
    std::uint64_t hops = 0;
    for (network::LinkId link = 0; link < network.links(); ++link) {
        hops += network.link_statistics(link).packets;
    }
    return hops;
}

/// Replays a schedule; throws std::runtime_error if it does not complete. Links carry 100 Gb/s.
inline ReplayCost measure_replay(const schedule::Schedule& schedule,
                                 const network::Topology& topology,
                                 const schedule::ReplayParameters& parameters) {
    ReplayCost cost;
    const double begin = cpu_seconds();
    schedule::Replay replay(schedule, parameters, topology.describe(), topology);
    const double built = cpu_seconds();
    while (replay.advance(1 << 20)) continue;
    cost.replay_s = cpu_seconds() - built;
    cost.build_s = built - begin;
    if (!replay.is_complete()) throw std::runtime_error("a replay did not complete");
    cost.messages = replay.progress().messages;
    cost.hops = hops_of(replay.network());
    cost.event_hash = replay.network().event_hash();
    cost.virtual_time = replay.virtual_time();
    return cost;
}

/// How the ranks of `torus_shift` keep in step.
enum class Synchronisation {
    kNone,     ///< Not at all: a rank goes on when it has sent and received.
    kInstant,  ///< Steps begin at instants that all know; costs nothing, as S4U's barrier.
};

/// Every rank of a cubic torus sends to the one `distance` further along the first dimension and
/// receives from the one before, in each of `steps` steps.
inline schedule::Schedule torus_shift(std::uint32_t side, std::uint32_t steps,
                                      std::uint32_t distance, std::uint64_t size_bytes,
                                      Synchronisation synchronisation) {
    const std::uint32_t ranks = side * side * side;
    constexpr std::int64_t kStep_ps = 1'000'000'000;
    schedule::ScheduleBuilder builder(ranks);
    const std::size_t messages = std::size_t{ranks} * steps;
    builder.reserve(3 * messages, 4 * messages);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        builder.begin_rank(rank);
        const std::uint32_t row = rank - rank % side;
        const std::uint32_t target = row + (rank % side + distance) % side;
        const std::uint32_t source = row + (rank % side + side - distance) % side;
        for (std::uint32_t step = 0; step < steps; ++step) {
            const bool waits = synchronisation == Synchronisation::kInstant && step > 0;
            std::uint32_t gate = 0;
            if (waits)
                gate = builder.add(schedule::Operation::wait_until(Instant{kStep_ps * step}));
            const std::uint32_t receive =
                builder.add(schedule::Operation::receive(size_bytes, source));
            const std::uint32_t send = builder.add(schedule::Operation::send(size_bytes, target));
            if (step == 0) continue;
            const std::uint32_t before = waits ? gate : receive;
            if (waits) {
                builder.require(gate, gate - 2);
                builder.require(gate, gate - 1);
            }
            for (const std::uint32_t after : {receive, send}) {
                if (waits) {
                    builder.require(after, gate);
                } else {
                    builder.require(after, before - 2);
                    builder.require(after, before - 1);
                }
            }
        }
    }
    return builder.finish();
}

inline std::unique_ptr<network::Topology> torus(const network::Numbers& sizes) {
    return network::make_topology({"torus",
                                   {{"sizes", sizes}, {"hosts_per_switch", 1}},
                                   network::LinkParameters{100'000'000'000, Duration{100'000}},
                                   {}});
}

}  // namespace kumi::bench
