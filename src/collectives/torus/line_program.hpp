#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectives/cut_vector.hpp"
#include "collectives/rank_program.hpp"
#include "collectives/torus/box_lines.hpp"

namespace kumi::collectives {

/// Which parts of a vector a line's blocks stand for: that of coordinate c for the `count` parts
/// from `first` + c * `stride` on.
struct LineParts {
    BlockId first = 0;
    BlockId stride = 1;
    BlockId count = 1;
};

/// One line of a box for an algorithm that knows nothing else: ranks are positions on the line, and
/// blocks have their numbers. Messages go to the ranks of the box with the bytes of their parts, so
/// that the algorithm may take sizes to be 0. Messages without bytes are left out on both sides.
class LineProgram final : public RankProgram {
   public:
    LineProgram(RankProgram& box, const BoxLines& lines, std::size_t dimension, LineOrder order,
                const CutVector& vector, const LineParts& parts);

    bool wants_blocks() const override { return true; }
    void take_part(const Message& message) override;
    void next_step() override { x_box.next_step(); }
    void synchronise() override { x_box.synchronise(); }
    void wait_until(Duration after_start) override { x_box.wait_until(after_start); }

   private:
    std::uint32_t rank_at(std::uint32_t position) const;
    /// Fills in what the blocks stand for. Returns their bytes.
    std::uint64_t find_parts(std::span<const BlockId> blocks);

    RankProgram& x_box;
    const BoxLines& x_lines;
    std::size_t x_dimension;
    LineOrder x_order;
    const CutVector& x_vector;
    LineParts x_parts;
    std::vector<BlockId> x_found;
};

}  // namespace kumi::collectives
