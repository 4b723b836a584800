#include "base/rank_torus.hpp"

#include <utility>

#include "base/check.hpp"

namespace kumi::inline base {

RankTorus::RankTorus(std::vector<std::uint32_t> sides) : x_sides(std::move(sides)) {
    for (const std::uint32_t side : x_sides) {
        KUMI_ASSERT(side > 0, "a dimension has no ranks");
        x_strides.push_back(x_ranks);
        x_ranks *= side;
    }
}

std::uint32_t RankTorus::moved(std::uint32_t rank, std::size_t dimension,
                               std::int64_t distance) const {
    const auto side = static_cast<std::int64_t>(x_sides[dimension]);
    const std::int64_t here = coordinate(rank, dimension);
    const std::int64_t there = (here + distance + side) % side;
    return static_cast<std::uint32_t>(rank + (there - here) * x_strides[dimension]);
}

std::string sides_text(const std::vector<std::uint32_t>& sides) {
    std::string text;
    for (const std::uint32_t side : sides) {
        if (!text.empty()) text += 'x';
        text += std::to_string(side);
    }
    return text;
}

}  // namespace kumi::inline base
