#pragma once

#include <cstdint>
#include <vector>

#include "collectives/cut_vector.hpp"
#include "collectives/rank_program.hpp"
#include "collectives/torus/box_lines.hpp"

/// Algorithms of ranks that fill a box, on the parts of a vector: part p is that of rank p. They
/// go along one dimension after the other, all lines of a dimension at once, and each takes as
/// many steps on all ranks. In a step a rank sends one message at most, and receives one.
namespace kumi::collectives {

/// Each rank has its part, and gets all. On each line, what came last is passed on to the next; on
/// rings of 4 and lines of 2 pairs exchange what they have. No two messages of a step share a
/// directed link.
void gather_in_box(RankProgram& program, const BoxLines& lines, const CutVector& vector);

/// All have a vector, and each gets the sum of its part. The other way round, likewise.
void reduce_scatter_in_box(RankProgram& program, const BoxLines& lines, const CutVector& vector);

/// `root` has the vector of one part, and all get it: those of a line that have it pass it on to
/// the nearest one of the other half of what is theirs. No two messages of a step share a directed
/// link.
void broadcast_in_box(RankProgram& program, const BoxLines& lines, const CutVector& whole,
                      std::uint32_t root);

/// `root` has the vector, and each gets its part. Likewise.
void scatter_in_box(RankProgram& program, const BoxLines& lines, const CutVector& vector,
                    std::uint32_t root);

/// How many messages of a step share a directed link, at most: by step of all ranks together.
using Sharing = std::vector<std::uint32_t>;

/// All have a vector of one part, and get the sum. On each line pairs exchange what they have, ever
/// farther ones, and add.
void double_sums_in_box(RankProgram& program, const BoxLines& lines, const CutVector& whole);
Sharing sharing_of_double_sums(const BoxLines& lines);

/// Each rank has its part, and gets all. On lines with as many points as a power of two pairs
/// exchange what they have, ever farther ones; on others as in `gather_in_box`.
void double_gather_in_box(RankProgram& program, const BoxLines& lines, const CutVector& vector);
Sharing sharing_of_double_gather(const BoxLines& lines);

/// Each rank has something for each other one. In each step all send to the rank at the same
/// distance in each dimension, around the ends. Calls `exchange(target, source)` for each step.
template <class Exchange>
void shift_in_box(RankProgram& program, const BoxLines& lines, Exchange&& exchange) {
    const RankTorus& points = lines.points();
    for (std::uint32_t offset = 1; offset < points.ranks(); ++offset, program.next_step()) {
        std::uint32_t target = program.rank(), source = program.rank();
        for (std::size_t dimension = 0; dimension < points.dimensions(); ++dimension) {
            const auto distance = static_cast<int>(points.coordinate(offset, dimension));
            target = points.moved(target, dimension, distance);
            source = points.moved(source, dimension, -distance);
        }
        exchange(target, source);
    }
}
/// Those that a message may wait for in one dimension after the other, and itself.
Sharing sharing_of_shift(const BoxLines& lines);

}  // namespace kumi::collectives
