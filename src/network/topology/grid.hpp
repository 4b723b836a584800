#pragma once

#include <cstdint>
#include <vector>

#include "network/topology/topology.hpp"

namespace kumi::network {

/// What torus and mesh have in common: switches at the points of a grid of any number of
/// dimensions, the same number of hosts at each. The first coordinate runs fastest in the numbers
/// of switches; hosts are numbered switch by switch.
///
/// Messages are routed in dimension order: first to the target's coordinate in dimension 0, then in
/// dimension 1, and so on; the same for every message, and as short as possible.
class Grid : public Topology {
   public:
    static constexpr std::size_t kMostDimensions = 16;

    FabricDescription describe() const override;
    void route(HostId source, HostId target, std::vector<LinkId>& links) const override;
    std::uint32_t channels(RoutePolicy policy) const override;

   protected:
    /// With `wraps`, both ends of each row are connected, unless it has two switches, which are
    /// neighbours already.
    Grid(const TopologyParameters& parameters, bool wraps);

   private:
    struct Dimension {
        std::uint32_t size = 1;
        std::uint32_t stride = 1;  ///< Between the numbers of neighbours.
        std::uint32_t cables = 0;  ///< Of one row; cable c leads from coordinate c to the next.
        bool wraps = false;
        /// Number of successive coordinates that send upwards what has equally far both ways; the
        /// same number send it downwards, and so on; 0: all send it upwards.
        std::uint32_t halfway_run = 0;
        LinkId first_link = 0;  ///< Of all rows; two to a cable, the one upwards first.
        LinkParameters link;

        bool goes_up_halfway(std::uint32_t from) const {
            return halfway_run == 0 || from / halfway_run % 2 == 0;
        }
        /// Adds the links from one coordinate of a row to another one. `first_cable` is the link
        /// upwards from the row's coordinate 0; the one back follows it, and those of the next
        /// coordinates come `2 * stride` later each.
        void walk(std::uint32_t from, std::uint32_t to, std::uint32_t first_cable,
                  std::vector<LinkId>& links) const;
    };

    std::uint32_t hosts() const { return x_switches * x_hosts_per_switch; }
    LinkParameters x_link;
    std::vector<Dimension> x_dimensions;
    std::uint32_t x_switches = 0;
    std::uint32_t x_hosts_per_switch = 0;
    std::uint64_t x_links = 0;
};

}  // namespace kumi::network
