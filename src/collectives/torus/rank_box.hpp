#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kumi::collectives {

/// Hosts of a torus or mesh, the first coordinate counting fastest in their numbers.
struct HostGrid {
    std::span<const std::uint32_t> sides{};
    bool is_torus = false;
};

/// Ranks that fill a box of a grid of hosts, one on each. Along a ring of a torus a box may go
/// around the end. Sides of length 1 are left out.
struct RankBox {
    std::vector<std::uint32_t> sides;
    /// For each side, whether its ends are neighbours: it is a whole ring.
    std::vector<bool> is_ring;
    /// Of each rank, in the order of its hosts: the first coordinate counts fastest.
    std::vector<std::uint32_t> place_of;

    /// Whether messages of Suh and Shin's all-to-all stay in the box and share no link: sides are
    /// multiples of 4, of which longer ones are rings.
    bool is_for_suh_shin() const;
};

/// The box of ranks on these hosts; nothing if they fill none. O(ranks).
std::optional<RankBox> find_box(std::span<const std::uint32_t> hosts, const HostGrid& grid);

}  // namespace kumi::collectives
