#include <algorithm>
#include <cstdint>
#include <vector>

#include "network/topology/topology.hpp"

namespace kumi::network {
namespace {

/// What torus and mesh have in common: switches at the points of a grid of any number of
/// dimensions, the same number of hosts at each. The first coordinate runs fastest in the numbers
/// of switches; hosts are numbered switch by switch.
///
/// Messages are routed in dimension order: first to the target's coordinate in dimension 0, then in
/// dimension 1, and so on; the same for every message, and as short as possible.
class Grid : public Topology {
   public:
    static constexpr std::size_t kMostDimensions = 16;

    FabricDescription describe() const override {
        FabricDescription fabric{.hosts = hosts(), .switches = x_switches};
        fabric.links.reserve(x_links);
        for (HostId host = 0; host < hosts(); ++host) {
            connect(fabric, host, hosts() + host / x_hosts_per_switch, x_link);
        }
        std::uint32_t order = 0;
        for (const Dimension& dimension : x_dimensions) {
            ++order;
            const std::uint32_t row = dimension.stride * dimension.size;
            // Links are numbered as they are described: see `cable`.
            for (std::uint32_t begin = 0; begin < x_switches; begin += row) {
                for (std::uint32_t at = 0; at < dimension.cables; ++at) {
                    const std::uint32_t next = (at + 1) % dimension.size;
                    // The dateline of a ring [Dally87] is the cable from its last switch to its
                    // first.
                    const ChannelRule rule{static_cast<std::uint8_t>(order),
                                           static_cast<std::uint8_t>(next < at ? 1 : 0)};
                    for (std::uint32_t offset = 0; offset < dimension.stride; ++offset) {
                        const std::uint32_t base = hosts() + begin + offset;
                        connect(fabric, base + at * dimension.stride,
                                base + next * dimension.stride, dimension.link, 0, rule);
                    }
                }
            }
        }
        return fabric;
    }

    std::uint32_t channels(RoutePolicy /*policy*/) const override {
        return std::ranges::any_of(x_dimensions, &Dimension::wraps) ? 2 : 1;
    }

    void route(HostId source, HostId target, std::vector<LinkId>& links) const override {
        links.assign({2 * source});
        // Dividing takes as long as all the rest of a short path.
        const auto switch_of = [this](HostId host) {
            return x_hosts_per_switch == 1 ? host : host / x_hosts_per_switch;
        };
        std::uint32_t at = switch_of(source);
        const std::uint32_t end = switch_of(target);
        // What is left of both numbers when the coordinates so far are taken off.
        std::uint32_t from = at;
        std::uint32_t to = end;
        for (const Dimension& dimension : x_dimensions) {
            if (at == end) break;
            const std::uint32_t from_here = from % dimension.size;
            const std::uint32_t to_here = to % dimension.size;
            from /= dimension.size;
            to /= dimension.size;
            if (from_here == to_here) continue;
            const std::uint32_t row = from;
            const std::uint32_t offset = dimension.stride == 1 ? 0 : at % dimension.stride;
            dimension.walk(
                from_here, to_here,
                dimension.first_link + 2 * (row * dimension.cables * dimension.stride + offset),
                links);
            at = at - from_here * dimension.stride + to_here * dimension.stride;
        }
        links.push_back(2 * target + 1);
    }

   protected:
    /// With `wraps`, both ends of each row are connected, unless it has two switches, which are
    /// neighbours already.
    Grid(const TopologyParameters& parameters, bool wraps) : x_link(parameters.host_link) {
        TopologyNumbers numbers(parameters);
        const std::vector<std::uint32_t> sizes =
            numbers.take_list("sizes", kMostDimensions, 1, kMostHostsByFormula);
        x_hosts_per_switch = numbers.take("hosts_per_switch", 1, kMostHosts);
        const std::uint32_t halfway_run =
            wraps ? numbers.take_or("halfway_run", 0, 0, kMostHostsByFormula) : 0;
        numbers.finish();
        const std::string what = "topology " + parameters.kind + ": ";
        x_switches = checked_product(sizes, kMostHostsByFormula, what + "the number of switches");
        checked_product({x_switches, x_hosts_per_switch}, kMostHostsByFormula,
                        what + "the number of hosts");
        std::uint32_t stride = 1;
        std::uint64_t next_link = 2 * hosts();
        for (std::size_t index = 0; index < sizes.size(); ++index) {
            Dimension dimension;
            dimension.size = sizes[index];
            dimension.stride = stride;
            dimension.wraps = wraps && dimension.size > 2;
            dimension.halfway_run = halfway_run;
            dimension.cables = dimension.wraps ? dimension.size : dimension.size - 1;
            dimension.first_link = static_cast<LinkId>(next_link);
            dimension.link = parameters.switch_link(index, sizes.size());
            x_dimensions.push_back(dimension);
            stride *= dimension.size;
            // At most two for each switch and dimension: no overflow.
            next_link += std::uint64_t{2} * (x_switches / dimension.size) * dimension.cables;
        }
        check_link_count(next_link, what + "the number of links");
        x_links = next_link;
    }

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
                  std::vector<LinkId>& links) const {
            const std::uint32_t up = to >= from ? to - from : to + size - from;
            const std::uint32_t down = size - up;
            const bool goes_up =
                wraps ? up < down || (up == down && goes_up_halfway(from)) : from <= to;
            const std::size_t place = links.size();
            links.resize(place + (goes_up ? up : down));
            // The cable that leads downwards from a coordinate is that of the one below.
            std::uint32_t coordinate = goes_up ? from : (from == 0 ? size : from) - 1;
            for (std::size_t step = place; step < links.size(); ++step) {
                links[step] = first_cable + 2 * coordinate * stride + (goes_up ? 0 : 1);
                if (goes_up) {
                    coordinate = coordinate + 1 == size ? 0 : coordinate + 1;
                } else {
                    coordinate = (coordinate == 0 ? size : coordinate) - 1;
                }
            }
        }
    };

    std::uint32_t hosts() const { return x_switches * x_hosts_per_switch; }
    LinkParameters x_link;
    std::vector<Dimension> x_dimensions;
    std::uint32_t x_switches = 0;
    std::uint32_t x_hosts_per_switch = 0;
    std::uint64_t x_links = 0;
};

/// A grid whose rows are rings; a message takes the shorter way round. If both are equal it goes
/// upwards or, with the number `halfway_run`, as the coordinate says that it starts from.
struct Torus final : Grid {
    explicit Torus(const TopologyParameters& parameters) : Grid(parameters, true) {}
};

KUMI_REGISTER(Topology, Torus, "torus", "A grid of switches whose rows are rings.");

/// A grid whose rows end at its borders.
struct Mesh final : Grid {
    explicit Mesh(const TopologyParameters& parameters) : Grid(parameters, false) {}
};

KUMI_REGISTER(Topology, Mesh, "mesh", "A grid of switches whose rows end at its borders.");

}  // namespace
}  // namespace kumi::network
