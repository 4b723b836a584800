#include "collectives/patterns/grid.hpp"

#include <algorithm>
#include <functional>

namespace kumi::collectives {
namespace {

/// No number of ranks reaches it, and its product with a dimension does not overflow.
constexpr std::uint64_t kTooMany = std::uint64_t{1} << 32;

/// Gives the prime factors, the largest first, each to what is the shortest axis by then.
std::vector<std::uint32_t> balanced_dimensions(std::uint32_t ranks, std::size_t axes) {
    std::vector<std::uint32_t> factors;
    for (std::uint32_t factor = 2; factor <= ranks / factor; ++factor) {
        for (; ranks % factor == 0; ranks /= factor) factors.push_back(factor);
    }
    if (ranks > 1) factors.push_back(ranks);
    std::vector<std::uint32_t> dimensions(axes, 1);
    std::sort(factors.begin(), factors.end(), std::greater<>());
    for (const std::uint32_t factor : factors) {
        *std::min_element(dimensions.begin(), dimensions.end()) *= factor;
    }
    std::sort(dimensions.begin(), dimensions.end(), std::greater<>());
    return dimensions;
}

}  // namespace

RankGrid::RankGrid(const PatternParameters& parameters, std::size_t axes)
    : x_dimensions(parameters.dimensions) {
    if (x_dimensions.empty()) x_dimensions = balanced_dimensions(parameters.ranks, axes);
    std::uint64_t product = 1;
    for (const std::uint32_t length : x_dimensions) {
        product = std::min(product * length, kTooMany);
    }
    if (x_dimensions.size() != axes || product != parameters.ranks) {
        x_problem = "the grid needs " + std::to_string(axes) +
                    " dimensions, whose product is the number of ranks, " +
                    std::to_string(parameters.ranks);
        return;
    }
    x_torus = RankTorus({x_dimensions.rbegin(), x_dimensions.rend()});
}

std::uint32_t RankGrid::neighbour(std::uint32_t rank, std::size_t axis, bool forward) const {
    return x_torus.moved(rank, axes() - 1 - axis, forward ? 1 : -1);
}

}  // namespace kumi::collectives
