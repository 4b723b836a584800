#include "collectives/torus/line_program.hpp"

#include <algorithm>
#include <utility>

namespace kumi::collectives {
namespace {

std::uint32_t position_of(const LineOrder& order, std::uint32_t coordinate) {
    return static_cast<std::uint32_t>(std::ranges::find(order, coordinate) - order.begin());
}

}  // namespace

LineProgram::LineProgram(RankProgram& box, const BoxLines& lines, std::size_t dimension,
                         LineOrder order, const CutVector& vector, const LineParts& parts)
    : RankProgram(position_of(order, lines.points().coordinate(box.rank(), dimension)),
                  lines.side(dimension)),
      x_box(box),
      x_lines(lines),
      x_dimension(dimension),
      x_order(std::move(order)),
      x_vector(vector),
      x_parts(parts) {}

std::uint32_t LineProgram::rank_at(std::uint32_t position) const {
    const std::uint32_t own = x_lines.points().coordinate(x_box.rank(), x_dimension);
    return x_lines.points().moved(x_box.rank(), x_dimension,
                                  static_cast<int>(x_order[position]) - static_cast<int>(own));
}

std::uint64_t LineProgram::find_parts(std::span<const BlockId> blocks) {
    std::uint64_t bytes = 0;
    x_found.clear();
    for (const BlockId block : blocks) {
        const BlockId first = x_parts.first + x_order[block] * x_parts.stride;
        bytes += x_vector.bytes(first, first + x_parts.count);
        for (BlockId part = 0; x_box.wants_blocks() && part < x_parts.count; ++part)
            x_found.push_back(first + part);
    }
    return bytes;
}

void LineProgram::take_part(const Message& message) {
    const std::uint64_t bytes = find_parts(message.blocks);
    if (bytes > 0)
        x_box.take_part({message.role, rank_at(message.peer), bytes, x_found, message.tag});
}

}  // namespace kumi::collectives
