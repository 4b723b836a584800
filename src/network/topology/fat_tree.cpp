#include "network/topology/topology.hpp"

namespace kumi::network {
namespace {

constexpr std::size_t kMostLevels = 16;

/// The extended generalised fat tree XGFT(h; m; w) [Ohring95] with parallel cables [Zahavi10]: each
/// vertex of level l has m_l children and each vertex of level l - 1 has w_l parents, each by p_l
/// cables; hosts are level 0.
///
/// A vertex of level l is named by digits a_h ... a_{l+1} (to the bases m), which part of the
/// network it belongs to, and b_l ... b_1 (to the bases w), which of the switches over that part it
/// is. Its children differ in a_l, its parents in b_{l+1}.
///
/// Messages go up to the lowest level over both hosts and down again. The target alone decides the
/// cable of each level (d-mod-k [Zahavi10]), upwards and downwards.
class FatTree final : public Topology {
   public:
    explicit FatTree(const TopologyParameters& parameters) {
        TopologyNumbers numbers(parameters);
        const auto children = numbers.take_list("children", kMostLevels, 1, kMostHostsByFormula);
        const std::size_t levels = children.size();
        const auto parents = numbers.take_each("parents", levels, 1, kMostHosts);
        const auto cables = numbers.take_each("cables", levels, 1, kMostHosts);
        numbers.finish();
        const std::string what = "topology fat_tree: the number of ";
        x_hosts = checked_product(children, kMostHostsByFormula, what + "hosts");
        std::uint32_t parts = x_hosts;
        std::uint32_t alike = 1;
        std::uint32_t first = 0;
        std::uint64_t next_link = 0;
        for (std::size_t index = 0; index < levels; ++index) {
            Level level;
            level.children = children[index];
            level.parents = parents[index];
            level.cables = cables[index];
            level.parts_below = parts;
            level.alike_below = alike;
            level.first_below = first;
            level.first_link = static_cast<LinkId>(next_link);
            level.link =
                index == 0 ? parameters.host_link : parameters.switch_link(index - 1, levels - 1);
            const std::uint32_t below =
                checked_product({parts, alike}, kMostLinksByFormula, what + "switches");
            next_link += std::uint64_t{2} * checked_product({below, level.parents, level.cables},
                                                            kMostLinksByFormula, what + "links");
            check_link_count(next_link, what + "links");
            first += below;
            parts /= level.children;
            alike *= level.parents;
            x_levels.push_back(level);
        }
        x_vertices =
            first + checked_product({parts, alike}, kMostLinksByFormula, what + "switches");
    }

    FabricDescription describe() const override {
        FabricDescription fabric{.hosts = x_hosts, .switches = x_vertices - x_hosts};
        for (const Level& level : x_levels) {
            const std::uint32_t below = level.parts_below * level.alike_below;
            for (std::uint32_t child = 0; child < below; ++child) {
                for (std::uint32_t parent = 0; parent < level.parents; ++parent) {
                    for (std::uint32_t cable = 0; cable < level.cables; ++cable) {
                        connect(fabric, level.first_below + child,
                                level.first_below + below + parent_of(level, child, parent),
                                level.link, cable);
                    }
                }
            }
        }
        return fabric;
    }

    void route(HostId source, HostId target, std::vector<LinkId>& links) const override {
        links.clear();
        std::size_t top = 0;
        std::uint32_t source_part = source;
        for (std::uint32_t part = target; part != source_part; ++top) {
            part /= x_levels[top].children;
            source_part /= x_levels[top].children;
        }
        links.resize(2 * top);
        std::uint32_t up_part = source;
        std::uint32_t down_part = target;
        std::uint32_t which = 0;  // Of the switches over the part; the same upwards and downwards.
        for (std::size_t index = 0; index < top; ++index) {
            const Level& level = x_levels[index];
            const std::uint32_t port = target / level.alike_below % (level.parents * level.cables);
            const std::uint32_t parent = port % level.parents;
            const std::uint32_t cable = port / level.parents;
            links[index] = link(level, up_part * level.alike_below + which, parent, cable);
            links[2 * top - 1 - index] =
                link(level, down_part * level.alike_below + which, parent, cable) + 1;
            which += parent * level.alike_below;
            up_part /= level.children;
            down_part /= level.children;
        }
    }

   private:
    /// A level of switches with the cables to the level below it.
    struct Level {
        std::uint32_t children = 1;
        std::uint32_t parents = 1;  ///< Of each vertex below.
        std::uint32_t cables = 1;   ///< Between a vertex below and each of its parents.
        std::uint32_t parts_below = 1;
        std::uint32_t alike_below = 1;  ///< Vertices below that are over the same part.
        std::uint32_t first_below = 0;  ///< Vertex.
        LinkId first_link = 0;
        LinkParameters link;
    };

    /// The number within its level of a parent of vertex `child` of the level below.
    static std::uint32_t parent_of(const Level& level, std::uint32_t child, std::uint32_t parent) {
        const std::uint32_t part = child / level.alike_below / level.children;
        const std::uint32_t which = child % level.alike_below + parent * level.alike_below;
        return part * (level.alike_below * level.parents) + which;
    }

    /// The link upwards; the one back follows it.
    static LinkId link(const Level& level, std::uint32_t child, std::uint32_t parent,
                       std::uint32_t cable) {
        return level.first_link + 2 * ((child * level.parents + parent) * level.cables + cable);
    }

    std::vector<Level> x_levels;
    std::uint32_t x_hosts = 0;
    std::uint32_t x_vertices = 0;
};

KUMI_REGISTER(Topology, FatTree, "fat_tree",
              "Levels of switches over hosts, tapered at will (XGFT with parallel cables).");

}  // namespace
}  // namespace kumi::network
