#include "collectives/torus/box_steps.hpp"

#include <algorithm>
#include <bit>

#include "collectives/steps.hpp"
#include "collectives/torus/line_program.hpp"

namespace kumi::collectives {
namespace {

/// The vector of one part, from the point of view of each rank.
constexpr LineParts kWhole{.first = 0, .stride = 0, .count = 1};
constexpr BlockId kWholeBlock = 0;

/// For algorithms of a line, which fills in the bytes.
Parts parts_of_line(std::uint32_t count) { return {0, count}; }

/// Of a line through this rank, whose points in dimensions below have gathered theirs.
LineParts parts_along(const RankProgram& program, const BoxLines& lines, std::size_t dimension) {
    const BlockId each = lines.points().stride(dimension);
    const BlockId of_line = each * lines.side(dimension);
    return {.first = program.rank() / of_line * of_line, .stride = each, .count = each};
}

/// The partner of a point that has exchanged with all of its `half`: the one as far as that,
/// or at the last exchange of a ring its image in the middle, which is nearer around the end.
std::uint32_t peer_of(std::uint32_t point, std::uint32_t half, std::uint32_t length, bool is_ring) {
    return is_ring && 2 * half == length ? length - 1 - point : point ^ half;
}

/// How many messages of such an exchange cross the middle link.
std::uint32_t sharing_of(std::uint32_t half, std::uint32_t length, bool is_ring) {
    return is_ring && 2 * half == length ? std::max(half / 2, 1U) : half;
}

/// Whether pairs on a line exchange without sharing a link. Then they need fewer steps than a loop.
bool pairs_share_nothing(const BoxLines& lines, std::size_t dimension) {
    const std::uint32_t length = lines.side(dimension);
    return length == 2 || (length == 4 && lines.is_ring(dimension));
}

/// The points that have exchanged with each other before a point exchanges with all of `half`.
std::span<const BlockId> around(const std::vector<BlockId>& all, std::uint32_t point,
                                std::uint32_t half) {
    return std::span(all).subspan(point & ~(half - 1), half);
}

void gather_along(RankProgram& program, const BoxLines& lines, std::size_t dimension,
                  const CutVector& vector, bool in_pairs) {
    const std::uint32_t length = lines.side(dimension);
    LineProgram line(program, lines, dimension,
                     in_pairs ? plain_row(length) : lines.loop(dimension), vector,
                     parts_along(program, lines, dimension));
    const Parts parts = parts_of_line(length);
    if (!in_pairs) return ring_allgather(line, parts, line.rank());
    const std::vector<BlockId> all = parts.all();
    for (std::uint32_t half = 1; half < length; half *= 2, line.next_step()) {
        const std::uint32_t peer = peer_of(line.rank(), half, length, lines.is_ring(dimension));
        line.receive(peer, 0, around(all, peer, half));
        line.send(peer, 0, around(all, line.rank(), half));
    }
}

/// Takes the steps of `halve` without taking part.
void skip_halving(RankProgram& program, std::uint32_t length) {
    for (std::uint64_t step = 0; step < bits_below(length); ++step) program.next_step();
}

/// Whether a rank has the coordinates of the root in the dimensions from `first` to before `end`.
bool is_with_root(const RankProgram& program, const BoxLines& lines, std::uint32_t root,
                  std::size_t first, std::size_t end) {
    for (std::size_t dimension = first; dimension < end; ++dimension) {
        const RankTorus& points = lines.points();
        if (points.coordinate(program.rank(), dimension) != points.coordinate(root, dimension))
            return false;
    }
    return true;
}

/// A rank's part in a tree on a line: the point that has something for a range of points gives that
/// for the other half to the nearest one there, and goes on with its own half. Takes a step for
/// each halving. `blocks_of(first, end)` are what a range is given.
template <class BlocksOf>
void halve(LineProgram& line, std::uint32_t root, BlocksOf&& blocks_of) {
    const std::uint32_t self = line.rank();
    std::uint32_t first = 0, end = line.ranks();
    for (std::uint64_t step = 0; step < bits_below(line.ranks()); ++step, line.next_step()) {
        if (end - first < 2) continue;
        const std::uint32_t middle = first + (end - first + 1) / 2;
        const bool root_is_low = root < middle;
        const std::uint32_t target = root_is_low ? middle : middle - 1;
        const std::uint32_t given = root_is_low ? middle : first;
        const std::uint32_t given_end = root_is_low ? end : middle;
        if (self == root) line.send(target, 0, blocks_of(given, given_end));
        if (self == target) line.receive(root, 0, blocks_of(given, given_end));
        if ((self < middle) != root_is_low) root = target;
        (self < middle ? end : first) = middle;
    }
}

}  // namespace

void gather_in_box(RankProgram& program, const BoxLines& lines, const CutVector& vector) {
    for (std::size_t dimension = 0; dimension < lines.dimensions(); ++dimension)
        gather_along(program, lines, dimension, vector, pairs_share_nothing(lines, dimension));
}

void reduce_scatter_in_box(RankProgram& program, const BoxLines& lines, const CutVector& vector) {
    for (std::size_t dimension = lines.dimensions(); dimension-- > 0;) {
        const bool in_pairs = pairs_share_nothing(lines, dimension);
        const std::uint32_t length = lines.side(dimension);
        LineProgram line(program, lines, dimension,
                         in_pairs ? plain_row(length) : lines.loop(dimension), vector,
                         parts_along(program, lines, dimension));
        const Parts parts = parts_of_line(length);
        if (!in_pairs) ring_reduce_scatter(line, parts, line.rank());
        const std::vector<BlockId> all = parts.all();
        for (std::uint32_t half = length / 2; in_pairs && half > 0; half /= 2, line.next_step()) {
            const std::uint32_t peer = peer_of(line.rank(), half, length, lines.is_ring(dimension));
            line.receive_and_add(peer, 0, around(all, line.rank(), half));
            line.send(peer, 0, around(all, peer, half));
        }
    }
}

void broadcast_in_box(RankProgram& program, const BoxLines& lines, const CutVector& whole,
                      std::uint32_t root) {
    for (std::size_t dimension = 0; dimension < lines.dimensions(); ++dimension) {
        if (!is_with_root(program, lines, root, dimension + 1, lines.dimensions())) {
            skip_halving(program, lines.side(dimension));
            continue;
        }
        const std::uint32_t at = lines.points().coordinate(root, dimension);
        const LineOrder order = lines.row(dimension, at);
        const auto from = static_cast<std::uint32_t>(std::ranges::find(order, at) - order.begin());
        LineProgram line(program, lines, dimension, order, whole, kWhole);
        halve(line, from, [](std::uint32_t, std::uint32_t) { return std::span(&kWholeBlock, 1); });
    }
}

void scatter_in_box(RankProgram& program, const BoxLines& lines, const CutVector& vector,
                    std::uint32_t root) {
    for (std::size_t dimension = lines.dimensions(); dimension-- > 0;) {
        if (!is_with_root(program, lines, root, 0, dimension)) {
            skip_halving(program, lines.side(dimension));
            continue;
        }
        const std::uint32_t length = lines.side(dimension);
        LineProgram line(program, lines, dimension, plain_row(length), vector,
                         parts_along(program, lines, dimension));
        const std::vector<BlockId> all = parts_of_line(length).all();
        halve(line, lines.points().coordinate(root, dimension),
              [&all](std::uint32_t first, std::uint32_t end) {
                  return std::span(all).subspan(first, end - first);
              });
    }
}

void double_sums_in_box(RankProgram& program, const BoxLines& lines, const CutVector& whole) {
    const std::span all(&kWholeBlock, 1);
    for (std::size_t dimension = 0; dimension < lines.dimensions(); ++dimension) {
        LineProgram line(program, lines, dimension, plain_row(lines.side(dimension)), whole,
                         kWhole);
        const Core core(line);
        const bool has_others = core.size() < line.ranks();
        if (has_others) fold_in(line, core, parts_of_line(1));
        for (std::uint32_t half = 1; half < core.size(); half *= 2, line.next_step()) {
            if (!core.has_this_rank()) continue;
            const std::uint32_t peer =
                peer_of(line.rank(), half, line.ranks(), lines.is_ring(dimension));
            line.receive_and_add(peer, 0, all);
            line.send(peer, 0, all);
        }
        if (has_others) fold_out(line, core, parts_of_line(1), all);
    }
}

Sharing sharing_of_double_sums(const BoxLines& lines) {
    Sharing sharing;
    for (std::size_t dimension = 0; dimension < lines.dimensions(); ++dimension) {
        const std::uint32_t length = lines.side(dimension), core = std::bit_floor(length);
        if (core < length) sharing.push_back(length - core);
        for (std::uint32_t half = 1; half < core; half *= 2)
            sharing.push_back(sharing_of(half, length, lines.is_ring(dimension)));
        if (core < length) sharing.push_back(length - core);
    }
    return sharing;
}

void double_gather_in_box(RankProgram& program, const BoxLines& lines, const CutVector& vector) {
    for (std::size_t dimension = 0; dimension < lines.dimensions(); ++dimension)
        gather_along(program, lines, dimension, vector, std::has_single_bit(lines.side(dimension)));
}

Sharing sharing_of_shift(const BoxLines& lines) {
    const RankTorus& points = lines.points();
    Sharing sharing;
    for (std::uint32_t offset = 1; offset < points.ranks(); ++offset) {
        std::uint32_t others = 0;
        for (std::size_t dimension = 0; dimension < points.dimensions(); ++dimension) {
            const std::uint32_t distance = points.coordinate(offset, dimension);
            const std::uint32_t most = std::min(distance, points.side(dimension) - distance);
            others += std::max(most, 1U) - 1;
        }
        sharing.push_back(1 + others);
    }
    return sharing;
}

Sharing sharing_of_double_gather(const BoxLines& lines) {
    Sharing sharing;
    for (std::size_t dimension = 0; dimension < lines.dimensions(); ++dimension) {
        const std::uint32_t length = lines.side(dimension);
        if (!std::has_single_bit(length)) sharing.resize(sharing.size() + length - 1, 1);
        for (std::uint32_t half = 1; std::has_single_bit(length) && half < length; half *= 2)
            sharing.push_back(sharing_of(half, length, lines.is_ring(dimension)));
    }
    return sharing;
}

}  // namespace kumi::collectives
