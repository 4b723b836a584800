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

/// A star of links of 1 ns a byte and 100 ns, and what one message takes through it.
class Star {
   public:
    explicit Star(std::uint32_t hosts)
        : x_topology(network::make_topology(
              {"star", {{"hosts", hosts}}, network::LinkParameters{8'000'000'000, 100_ns}, {}})),
          x_fabric(x_topology->describe()) {}

    Star&& with(const ReplayParameters& parameters) && {
        x_parameters = parameters;
        return std::move(*this);
    }

    Replayed begin(Schedule schedule, const ReplayRecording& recording = {}) const {
        return {std::move(schedule), x_parameters, x_fabric, *x_topology, recording};
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

    Duration serialisation(std::uint64_t size_bytes) const {
        return Duration{static_cast<std::int64_t>(size_bytes) * 1000};
    }
    Duration transfer(std::uint64_t size_bytes) const { return 200_ns + serialisation(size_bytes); }
    /// From the send's start to the end of a receive that was posted and alone.
    Duration message(std::uint64_t size_bytes) const {
        return x_parameters.endpoint.send_overhead + transfer(size_bytes) +
               x_parameters.endpoint.matching.posted.of(1) + x_parameters.endpoint.receive_overhead;
    }

   private:
    std::unique_ptr<network::Topology> x_topology;
    network::FabricDescription x_fabric;
    ReplayParameters x_parameters{.endpoint = {.eager_limit_bytes = 65536, .control_bytes = 32}};
};

inline const ReplayParameters kPlain{.endpoint = {.eager_limit_bytes = 65536, .control_bytes = 32}};
inline const ReplayParameters kLoaded{.endpoint = {.eager_limit_bytes = 65536,
                                                   .control_bytes = 32,
                                                   .send_overhead = 210_ns,
                                                   .receive_overhead = 170_ns,
                                                   .matching = matching::CostModel::list(13_ns)}};

inline Instant at(Duration span) { return Instant{} + span; }

}  // namespace kumi::schedule
