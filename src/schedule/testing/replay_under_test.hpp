#pragma once

#include <memory>
#include <utility>

#include "network/topology/topology.hpp"
#include "schedule/replay/replay.hpp"
#include "schedule/testing/schedules_under_test.hpp"

namespace kumi::schedule {

using namespace literals;

/// A replay together with its schedule.
class Replayed {
   public:
    Replayed(Schedule schedule, const ReplayParameters& parameters,
             const network::FabricDescription& fabric, const network::Routing& routing,
             const ReplayRecording& recording)
        : x_schedule(std::make_unique<Schedule>(std::move(schedule))),
          x_replay(std::make_unique<Replay>(*x_schedule, parameters, fabric, routing, recording)) {}

    Replay* operator->() const { return x_replay.get(); }
    const Replay& operator*() const { return *x_replay; }

   private:
    std::unique_ptr<Schedule> x_schedule;
    std::unique_ptr<Replay> x_replay;
};

inline void expect_complete(const Replay& replay) {
    EXPECT_TRUE(replay.is_complete());
    EXPECT_TRUE(replay.unreceived_messages().empty());
    const network::NetworkCounters& counters = replay.network().counters();
    EXPECT_EQ(counters.injected_messages, counters.arrived_messages);
    EXPECT_EQ(counters.injected_bytes, counters.arrived_bytes);
}

inline const ReplayParameters kPlain{.endpoint = {.eager_limit_bytes = 65536, .control_bytes = 32}};
inline const ReplayParameters kLoaded{.endpoint = {.eager_limit_bytes = 65536,
                                                   .control_bytes = 32,
                                                   .send_overhead = 210_ns,
                                                   .receive_overhead = 170_ns,
                                                   .matching = matching::CostModel::list(13_ns)}};

/// A network, and the software of the ranks on its hosts.
struct Platform {
    explicit Platform(const network::TopologyParameters& description)
        : topology(network::make_topology(description)), fabric(topology->describe()) {}

    Replayed begin(Schedule schedule, const ReplayRecording& recording = {}) const {
        return {std::move(schedule), parameters, fabric, *topology, recording};
    }
    Replayed replay(Schedule schedule, const ReplayRecording& recording = {}) const {
        Replayed replayed = begin(std::move(schedule), recording);
        while (replayed->advance(1000)) continue;
        return replayed;
    }
    Replayed complete(Schedule schedule, const ReplayRecording& recording = {}) const {
        Replayed replayed = replay(std::move(schedule), recording);
        expect_complete(*replayed);
        return replayed;
    }

    ReplayParameters parameters = kPlain;
    std::unique_ptr<network::Topology> topology;
    network::FabricDescription fabric;
};

/// Hosts in a grid; the links between dimensions have latencies of their own, those of hosts none.
inline Platform grid_of(const std::string& kind, const std::vector<std::uint32_t>& sides,
                        const std::vector<Duration>& latencies,
                        std::uint64_t bandwidth_bps = 8'000'000'000) {
    std::vector<network::LinkParameters> switch_links;
    for (const Duration latency : latencies) switch_links.push_back({bandwidth_bps, latency});
    const std::vector<std::uint64_t> sizes(sides.begin(), sides.end());
    Platform grid({kind,
                   {{"sizes", network::Numbers(sizes)}, {"hosts_per_switch", 1}},
                   {bandwidth_bps, 0_ns},
                   switch_links});
    grid.parameters.start_sides = sides;
    return grid;
}

/// A star of links of 1 ns a byte and 100 ns, and what one message takes through it.
struct Star : Platform {
    explicit Star(std::uint32_t hosts, std::uint8_t noise = 0)
        : Platform({"star", {{"hosts", hosts}}, {8'000'000'000, 100_ns, noise}}) {}

    Star&& with(const ReplayParameters& other) && {
        parameters = other;
        return std::move(*this);
    }

    Duration serialisation(std::uint64_t size_bytes) const {
        return Duration{static_cast<std::int64_t>(size_bytes) * 1000};
    }
    Duration transfer(std::uint64_t size_bytes) const { return 200_ns + serialisation(size_bytes); }
    /// From the send's start to the end of a receive that was posted and alone.
    Duration message(std::uint64_t size_bytes) const {
        return parameters.endpoint.send_overhead + transfer(size_bytes) +
               parameters.endpoint.matching.posted.of(1) + parameters.endpoint.receive_overhead;
    }
};

/// A schedule with one message, and what else GOAL text says of its two operations.
inline Schedule one_message(std::uint64_t size_bytes, const std::string& of_send = "",
                            const std::string& of_receive = "") {
    const std::string size = std::to_string(size_bytes) + "b";
    return of_ranks(
        {"send " + size + " to 1 " + of_send, "recv " + size + " from 0 " + of_receive});
}

inline Instant at(Duration span) { return Instant{} + span; }

}  // namespace kumi::schedule
