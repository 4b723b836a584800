#include "collectives/torus/box_lines.hpp"

#include <numeric>

namespace kumi::collectives {

LineOrder plain_row(std::uint32_t side) {
    LineOrder order(side);
    std::iota(order.begin(), order.end(), 0U);
    return order;
}

LineOrder BoxLines::loop(std::size_t dimension) const {
    const std::uint32_t length = side(dimension);
    if (is_ring(dimension)) return plain_row(length);
    LineOrder order;
    for (std::uint32_t there = 0; there < length; there += 2) order.push_back(there);
    for (std::uint32_t back = length / 2; back > 0; --back) order.push_back(2 * back - 1);
    return order;
}

LineOrder BoxLines::row(std::size_t dimension, std::uint32_t coordinate) const {
    const std::uint32_t length = side(dimension);
    LineOrder order = plain_row(length);
    if (!is_ring(dimension)) return order;
    const std::uint32_t first = (coordinate + length - (length - 1) / 2) % length;
    for (std::uint32_t position = 0; position < length; ++position)
        order[position] = (first + position) % length;
    return order;
}

}  // namespace kumi::collectives
