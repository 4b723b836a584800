#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rank_torus.hpp"

namespace kumi::collectives {

/// The points of one line of a box, in some order: coordinates by position.
using LineOrder = std::vector<std::uint32_t>;

/// Ranks that fill a box of a torus or mesh, as lines along each dimension. The first coordinate
/// counts fastest. A line is a ring of the torus, or has two ends.
class BoxLines {
   public:
    /// `is_ring` has an entry for each side.
    BoxLines(std::vector<std::uint32_t> sides, std::vector<bool> is_ring)
        : x_points(std::move(sides)), x_is_ring(std::move(is_ring)) {}

    const RankTorus& points() const { return x_points; }
    std::size_t dimensions() const { return x_points.dimensions(); }
    std::uint32_t side(std::size_t dimension) const { return x_points.side(dimension); }
    bool is_ring(std::size_t dimension) const { return x_is_ring[dimension]; }

    /// An order in which messages from each point to the next, and from the last to the first,
    /// share no directed link and stay on the line: around a ring; on a line with two ends every
    /// other point on the way there, the others on the way back.
    LineOrder loop(std::size_t dimension) const;
    /// Up the coordinates; on a ring beginning so that `coordinate` is in the middle.
    LineOrder row(std::size_t dimension, std::uint32_t coordinate) const;

   private:
    RankTorus x_points;
    std::vector<bool> x_is_ring;
};

/// Up the coordinates.
LineOrder plain_row(std::uint32_t side);

}  // namespace kumi::collectives
