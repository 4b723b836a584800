#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/rank_torus.hpp"
#include "collectives/patterns/pattern.hpp"

namespace kumi::collectives {

/// Ranks in a grid of `axes` dimensions; the last coordinate counts fastest.
class RankGrid {
   public:
    /// The dimensions as the parameters give them, or as equal as can be, the largest first.
    RankGrid(const PatternParameters& parameters, std::size_t axes);

    /// Why there is no such grid, in a plain sentence: the dimensions do not multiply to the number
    /// of ranks. If it is not empty, the other methods must not be called.
    const std::string& problem() const { return x_problem; }
    std::size_t axes() const { return x_dimensions.size(); }
    std::uint32_t length(std::size_t axis) const { return x_dimensions[axis]; }
    std::uint32_t coordinate(std::uint32_t rank, std::size_t axis) const {
        return x_torus.coordinate(rank, axes() - 1 - axis);
    }
    /// The next rank along an axis, or the one before, around the end.
    std::uint32_t neighbour(std::uint32_t rank, std::size_t axis, bool forward) const;

   private:
    std::vector<std::uint32_t> x_dimensions;
    RankTorus x_torus;  ///< With the axes in reverse order.
    std::string x_problem;
};

}  // namespace kumi::collectives
