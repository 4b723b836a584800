#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/time/time.hpp"
#include "collectives/patterns/pattern.hpp"
#include "network/fabric.hpp"
#include "network/routing/routing.hpp"
#include "schedule/replay/data/replay_types.hpp"

namespace kumi::schedule {

/// The time of each step of a pattern, of all ranks together: that of its longest message. Throws
/// ScheduleError if a message is not received in the step in which it is sent: then ranks that
/// synchronise before each step wait for each other.
using MessageTime =
    std::function<Duration(std::uint32_t source, std::uint32_t target, std::uint64_t size_bytes)>;
std::vector<Duration> step_times(const collectives::Pattern& pattern, std::uint32_t ranks,
                                 const MessageTime& time);

/// What messages of a replay take if nothing else is under way: overheads, matching of the only
/// receive, datagrams where all messages go by them, and every link of the path; of a rendezvous
/// until the sender knows of its end.
class MessageTimes {
   public:
    /// `parameters` must name the host of each rank. All must outlive it.
    MessageTimes(const ReplayParameters& parameters, const network::FabricDescription& fabric,
                 const network::Routing& routing)
        : x_parameters(parameters), x_fabric(fabric), x_routing(routing) {}

    Duration operator()(std::uint32_t source, std::uint32_t target, std::uint64_t size_bytes) const;

   private:
    Duration on_the_way(std::uint32_t source, std::uint32_t target, std::uint64_t size_bytes) const;

    const ReplayParameters& x_parameters;
    const network::FabricDescription& x_fabric;
    const network::Routing& x_routing;
};

}  // namespace kumi::schedule
