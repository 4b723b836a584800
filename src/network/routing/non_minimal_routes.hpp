#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"
#include "base/random/random_stream.hpp"
#include "base/time/time.hpp"
#include "engine/queues.hpp"
#include "network/fabric.hpp"
#include "network/routing/pair_order.hpp"
#include "network/routing/route_table.hpp"

namespace kumi::network {

/// Chooses paths through a dragonfly while the network runs: message by message, when the message
/// begins to leave its source's interface.
///
/// Valiant: a message to another group goes over a third group, drawn at random, from group to
/// group by cables drawn at random [Valiant82, Kim08]. UGAL: the same path is drawn; the message
/// takes it only if (load of its first link behind the source's switch) x (its links) is smaller
/// than the same product of the minimal path [Singh05, Kim08] (its variant of local knowledge).
/// Messages inside a group take the minimal path.
///
/// Messages of a pair may therefore overtake each other on the way; the target's interface hands
/// them over in the order in which they entered the network: see `PairOrder`. Plain data in the
/// network's arena.
class NonMinimalRoutes {
   public:
    NonMinimalRoutes(Arena& arena, const FabricDescription& fabric);

    /// A message between two hosts will enter.
    void note(Arena& arena, std::uint32_t transit, HostId source, HostId target) {
        x_order.note(arena, transit, source, target);
    }
    PairOrder& order() { return x_order; }

    /// The path of a message that leaves now. `load(link)` says how long a packet would wait.
    template <class Load>
    DragonflyPath choose(std::uint32_t transit, const Load& load) {
        const HostId source = x_order.source(transit);
        const HostId target = x_order.target(transit);
        const DragonflyPath minimal = x_shape.minimal(source, target);
        if (!leads_elsewhere(source, target)) return minimal;
        const DragonflyPath other = draw(source, target);
        if (!x_compares) return other;
        return is_worth(load(other.links[1]), other.length, load(minimal.links[1]), minimal.length)
                   ? other
                   : minimal;
    }

    /// Messages that wait for their turn at the host's interface, where no switching does that.
    engine::RingQueue<std::uint32_t>& line(HostId host) { return x_lines[host]; }
    std::uint64_t next_turn(HostId host) { return x_turns[host]++; }

   private:
    bool leads_elsewhere(HostId source, HostId target) const;
    DragonflyPath draw(HostId source, HostId target);
    /// Lengths are those of whole paths: both begin and end with a link at a host.
    static bool is_worth(Duration other_load, std::uint32_t other_length, Duration minimal_load,
                         std::uint32_t minimal_length);

    DragonflyShape x_shape;
    bool x_compares;
    RandomStreams x_streams;  ///< Of a source and its count of draws.
    PairOrder x_order;
    std::uint64_t* x_draws = nullptr;  ///< So far, of each source.
    std::uint64_t* x_turns = nullptr;  ///< Events of each host's line.
    engine::RingQueue<std::uint32_t>* x_lines = nullptr;
};

}  // namespace kumi::network
