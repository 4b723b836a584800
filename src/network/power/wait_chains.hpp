#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"
#include "base/time/time.hpp"
#include "network/fabric.hpp"
#include "network/ids.hpp"
#include "network/power/policies/link_policy.hpp"

namespace kumi::network {

/// How long data may have been held up by links that woke one after the other: along any chain of
/// messages of which each may have had to wait for the one before. Plain data.
///
/// A number for each link (LinkHistory::held_up) and each host, which packets take along: every
/// link and host on its way keeps the longest time for which a packet, or anything it may have
/// waited for, was held up. As long as messages come in the order that they have on links that are
/// always on, no number is less than the delay against these.
class WaitChains {
   public:
    static constexpr LinkId kFromHost = ~LinkId{0};

    WaitChains(Arena& arena, const FabricDescription& fabric, LinkHistory* links)
        : x_links(links),
          x_ends(arena.make_array<Ends>(fabric.links.size())),
          x_hosts(arena.make_array<Duration>(fabric.hosts)) {
        Ends* ends = x_ends;
        for (const LinkDescription& link : fabric.links)
            *ends++ = {link.source_vertex, link.target_vertex};
    }

    /// A packet wants to cross `link`, which will be active in `rest`. It has come over `previous`,
    /// or kFromHost.
    void follow(LinkId link, LinkId previous, Duration rest) {
        const Duration before =
            previous == kFromHost ? x_hosts[x_ends[link].source] : x_links[previous].held_up;
        raise(x_links[link].held_up, before + rest);
    }
    /// A message that has left its host over `first` has come to another over `last`. So the
    /// other knows, and the first: it may have waited for the delivery.
    void arrive(LinkId first, LinkId last) {
        raise(x_hosts[x_ends[last].target], x_links[last].held_up);
        raise(x_hosts[x_ends[first].source], x_links[last].held_up);
    }

    Duration at(LinkId link) const { return x_links[link].held_up; }

   private:
    struct Ends {
        std::uint32_t source = 0;
        std::uint32_t target = 0;
    };

    static void raise(Duration& number, Duration other) {
        if (number < other) number = other;
    }

    LinkHistory* x_links;
    Ends* x_ends;
    Duration* x_hosts;  ///< How long what a host knows was held up.
};

}  // namespace kumi::network
