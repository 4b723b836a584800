#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kumi::inline base {

/// Ranks at the points of a torus of any number of dimensions. The first coordinate counts fastest,
/// as in the hosts of a platform's torus; in a RankGrid it is the last.
class RankTorus {
   public:
    RankTorus() = default;
    /// No side may be 0.
    explicit RankTorus(std::vector<std::uint32_t> sides);

    std::size_t dimensions() const { return x_sides.size(); }
    std::uint32_t side(std::size_t dimension) const { return x_sides[dimension]; }
    std::uint32_t stride(std::size_t dimension) const { return x_strides[dimension]; }
    std::uint32_t ranks() const { return x_ranks; }
    std::uint32_t coordinate(std::uint32_t rank, std::size_t dimension) const {
        return rank / x_strides[dimension] % x_sides[dimension];
    }
    /// The rank `distance` away along a dimension, around the end; `distance` may be negative, but
    /// no longer than the side.
    std::uint32_t moved(std::uint32_t rank, std::size_t dimension, std::int64_t distance) const;

   private:
    std::vector<std::uint32_t> x_sides;
    std::vector<std::uint32_t> x_strides;
    std::uint32_t x_ranks = 1;
};

/// Sides as users write them, such as "8x12".
std::string sides_text(const std::vector<std::uint32_t>& sides);

}  // namespace kumi::inline base
