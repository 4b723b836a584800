#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/testing/arena_for_tests.hpp"
#include "base/testing/print_time.hpp"
#include "network/network.hpp"
#include "network/topology/topology.hpp"

namespace kumi::network {

/// What a test says about a network; everything else is zero or as easy as possible.
struct PlatformUnderTest {
    std::string kind = "star";
    std::map<std::string, Numbers> numbers = {{"hosts", 4}};
    LinkParameters link{8'000'000'000, {100'000}};  ///< 1 ns a byte, 100 ns.
    std::vector<LinkParameters> switch_links{};
    Duration switch_latency{};
    std::uint64_t packet_bytes = 0;
    std::uint64_t header_bytes = 0;
    LinkParameters loopback{80'000'000'000, {200'000}};  ///< 100 ps a byte, 200 ns.
    bool finds_paths = false;                            ///< One by one, instead of from a table.
    Buffering buffering{.channels = 0};                  ///< 0 channels: as many as are needed.
    RoutePolicy route_policy = RoutePolicy::kMinimal;
    std::uint64_t seed = 0;
    PowerDescription power{};
    std::vector<LinkNoise> noises{};
};

inline std::map<std::string, Numbers> dragonfly_numbers(std::uint32_t groups,
                                                        std::uint32_t switches, std::uint32_t ports,
                                                        std::uint32_t hosts) {
    return {{"groups", groups},
            {"switches_per_group", switches},
            {"global_links_per_switch", ports},
            {"hosts_per_switch", hosts}};
}

/// What something complains about; nothing if it does not.
template <class Action>
std::string complaint_of(Action&& action) {
    try {
        action();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

using Times = std::vector<Duration>;
using Instants = std::vector<Instant>;

/// A network with a sink that notes when messages arrive. Messages are numbered as they
/// are sent; each host sends with its own id and counter.
class NetworkUnderTest {
   public:
    explicit NetworkUnderTest(const PlatformUnderTest& platform)
        : x_topology(make_topology(
              {platform.kind, platform.numbers, platform.link, platform.switch_links})),
          x_fabric(x_topology->describe()) {
        x_fabric.switch_latency = platform.switch_latency;
        x_fabric.packet_bytes = platform.packet_bytes;
        x_fabric.header_bytes = platform.header_bytes;
        x_fabric.loopback_bandwidth_bps = platform.loopback.bandwidth_bps;
        x_fabric.loopback_latency = platform.loopback.latency;
        x_fabric.buffering = platform.buffering;
        if (platform.buffering.channels == 0) {
            x_fabric.buffering.channels = x_topology->channels(platform.route_policy);
        }
        x_fabric.route_policy = platform.route_policy;
        x_fabric.seed = platform.seed;
        x_fabric.power = platform.power;
        x_fabric.noises = platform.noises;
        x_finder = std::make_unique<PathFinder>(x_fabric, *x_topology);
        x_network = platform.finds_paths ? Network::create(*x_arena, x_fabric, *x_finder)
                                         : Network::create(*x_arena, x_fabric, *x_topology);
        x_next_sequence.resize(x_fabric.hosts);
    }

    Network& operator*() { return *x_network; }
    Network* operator->() { return x_network; }
    Arena& arena() { return *x_arena; }
    const FabricDescription& fabric() const { return x_fabric; }
    const Topology& topology() const { return *x_topology; }

    /// Sends a message and returns its number.
    std::size_t send(Instant when, HostId source, HostId target, std::uint64_t size_bytes) {
        const std::size_t number = note_message();
        const bool has_path = x_network->inject(when, source, target, size_bytes, source,
                                                x_next_sequence[source]++, number);
        KUMI_ASSERT(has_path, "a test sends to a host that is not connected");
        return number;
    }

    /// Sends a message, runs to the end, and returns how long the message has taken.
    Duration time_of(Instant when, HostId source, HostId target, std::uint64_t size_bytes) {
        const std::size_t number = send(when, source, target, size_bytes);
        run();
        return arrived(number) - when;
    }

    /// For tests that inject by themselves: the number to give as the cookie.
    std::size_t note_message() {
        x_arrived.push_back(kNever);
        return x_arrived.size() - 1;
    }

    /// Runs to the end; returns how long messages took that were all sent at the beginning.
    std::vector<Duration> times_of_all() {
        run();
        std::vector<Duration> times;
        for (const Instant when : x_arrived) times.push_back(when - Instant{});
        return times;
    }

    void run() { run_until(Instant{kNever.ps - 1}); }

    /// Executes everything up to and including `when`.
    void run_until(Instant when) {
        while (x_network->next_event_time() <= when) x_network->execute_next(*this);
    }

    /// When messages arrived; kNever if they have not yet.
    Instant arrived(std::size_t message) const { return x_arrived.at(message); }
    const std::vector<Instant>& arrival_times() const { return x_arrived; }
    /// Messages in the order in which they arrived.
    const std::vector<std::size_t>& arrivals() const { return x_arrivals; }

    void arrived(Instant when, std::uint64_t message) {
        KUMI_ASSERT(x_arrived.at(message) == kNever, "a message arrived twice");
        x_arrived[message] = when;
        x_arrivals.push_back(message);
    }

   private:
    ArenaForTests x_arena;
    std::unique_ptr<Topology> x_topology;
    FabricDescription x_fabric;
    std::unique_ptr<PathFinder> x_finder;
    Network* x_network = nullptr;
    std::vector<std::uint64_t> x_next_sequence;
    std::vector<Instant> x_arrived;
    std::vector<std::size_t> x_arrivals;
};

}  // namespace kumi::network
