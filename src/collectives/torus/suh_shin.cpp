#include "collectives/torus/suh_shin.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kumi::collectives {
namespace {

/// Ranks along a submesh, and hops between neighbours of a group.
constexpr std::uint32_t kSpan = 4;

/// For each of the first phases, the longest ring that a rank sends along in it: of all dimensions
/// that the phase has for some rank. As in SuhShinSteps::directions, each dimension after the
/// second is the first or the last of the list, or moves the others back by one.
std::vector<std::uint32_t> longest_rings(const RankTorus& torus) {
    const std::uint32_t first = std::max(torus.side(0), torus.side(1));
    std::vector<std::uint32_t> longest{first, first};
    for (std::size_t dimension = 2; dimension < torus.dimensions(); ++dimension) {
        std::vector<std::uint32_t> behind{torus.side(dimension)};
        behind.insert(behind.end(), longest.begin(), longest.end());
        longest.push_back(torus.side(dimension));
        for (std::size_t phase = 0; phase < longest.size(); ++phase) {
            longest[phase] = std::max(longest[phase], behind[phase]);
        }
    }
    return longest;
}

/// The coordinates along a side that `is_chosen` accepts.
template <class IsChosen>
std::vector<std::uint32_t> where(std::uint32_t side, IsChosen&& is_chosen) {
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t at = 0; at < side; ++at) {
        if (is_chosen(at)) chosen.push_back(at);
    }
    return chosen;
}

/// Adds, in one dimension, each of some coordinates to each of the ranks so far.
std::vector<BlockId> crossed(const std::vector<BlockId>& ranks,
                             const std::vector<std::uint32_t>& coordinates, std::uint32_t stride) {
    std::vector<BlockId> result;
    result.reserve(ranks.size() * coordinates.size());
    for (const std::uint32_t coordinate : coordinates) {
        for (const BlockId rank : ranks) result.push_back(rank + BlockId{coordinate} * stride);
    }
    return result;
}

}  // namespace

std::string SuhShinSteps::problem(const std::vector<std::uint32_t>& sides, std::uint32_t ranks) {
    const std::string wanted =
        "it needs the dimensions of a torus: two or more, each a multiple of 4, such as 8x12";
    const std::string others = "; alltoall/pairwise and alltoall/bruck do any number of ranks";
    if (sides.empty()) return wanted + others;
    std::uint64_t product = 1;
    bool is_possible = sides.size() >= 2;
    for (const std::uint32_t side : sides) {
        is_possible = is_possible && side > 0 && side % kSpan == 0;
        product = std::min(product * side, std::uint64_t{1} << 32);
    }
    if (!is_possible) return wanted + ", not " + sides_text(sides) + others;
    if (product == ranks) return {};
    return "the dimensions " + sides_text(sides) + " are those of " +
           (product < std::uint64_t{1} << 32 ? std::to_string(product) : "too many") +
           " ranks, not of " + std::to_string(ranks);
}

SuhShinSteps::SuhShinSteps(RankTorus torus) : x_torus(std::move(torus)) {
    const std::vector<std::uint32_t> longest = longest_rings(x_torus);
    const auto dimensions = static_cast<std::uint32_t>(x_torus.dimensions());
    for (std::uint32_t phase = 0; phase < dimensions + 2; ++phase) {
        const std::uint32_t steps = phase < dimensions ? longest[phase] / kSpan - 1 : dimensions;
        for (std::uint32_t index = 0; index < steps; ++index) x_steps.push_back({phase, index});
    }
}

std::vector<SuhShinSteps::Direction> SuhShinSteps::directions(std::uint32_t rank) const {
    static constexpr std::array<std::array<Direction, 2>, 4> kFirstTwo{
        {{{{1, 1}, {0, 1}}}, {{{0, 1}, {1, 1}}}, {{{1, -1}, {0, -1}}}, {{{0, -1}, {1, -1}}}}};
    const auto residue = [&](std::size_t dimension) {
        return x_torus.coordinate(rank, dimension) % kSpan;
    };
    const auto& first = kFirstTwo[(residue(0) + residue(1)) % kSpan];
    std::vector<Direction> list(first.begin(), first.end());
    for (std::size_t dimension = 2; dimension < x_torus.dimensions(); ++dimension) {
        const std::uint32_t at = residue(dimension);
        const Direction added{dimension, at < 2 ? 1 : -1};
        list.insert(at % 2 == 0 ? list.end() : list.begin(), added);
    }
    return list;
}

SuhShinSteps::Move SuhShinSteps::move(std::uint32_t rank, std::uint32_t step) const {
    const auto [phase, index] = x_steps[step];
    const std::size_t dimensions = x_torus.dimensions();
    const std::uint64_t ranks = x_torus.ranks();
    if (phase < dimensions) {
        const auto [dimension, sign] = directions(rank)[phase];
        const std::uint64_t ring = x_torus.side(dimension) / kSpan;
        if (index + 1 >= ring) return {};
        const int distance = sign * static_cast<int>(kSpan);
        return {dimension, distance, x_torus.moved(rank, dimension, distance),
                x_torus.moved(rank, dimension, -distance), ranks / ring * (ring - 1 - index)};
    }
    const bool is_last = phase > dimensions;
    const std::size_t dimension = is_last ? index : directions(rank)[index].dimension;
    const int hops = is_last ? 1 : 2;
    const std::uint32_t bit = x_torus.coordinate(rank, dimension) & static_cast<unsigned>(hops);
    const int distance = bit == 0 ? hops : -hops;
    const std::uint32_t partner = x_torus.moved(rank, dimension, distance);
    return {dimension, distance, partner, partner, ranks / 2};
}

SuhShinSteps::Choices SuhShinSteps::choices(std::uint32_t rank, std::uint32_t step,
                                            std::size_t dimension) const {
    const auto [phase, index] = x_steps[step];
    const std::uint32_t here = x_torus.coordinate(rank, dimension);
    const std::uint32_t side = x_torus.side(dimension);
    const std::vector<Direction> list = directions(rank);
    const auto found = std::ranges::find(list, dimension, &Direction::dimension);
    const auto place = static_cast<std::size_t>(found - list.begin());
    const auto of_group = [&](std::uint32_t at) { return at % kSpan == here % kSpan; };
    const auto in_submesh = [&](std::uint32_t at) { return at / kSpan == here / kSpan; };
    const auto any = [](std::uint32_t) { return true; };
    const auto is_here = [&](std::uint32_t at) { return at == here; };

    if (phase < list.size() && place < phase) {
        return {where(side, of_group), where(side, in_submesh)};
    }
    if (phase < list.size() && place > phase) return {where(side, is_here), where(side, any)};
    if (phase < list.size()) {
        // What has come `index` steps so far, and has farther to go.
        const std::uint32_t ring = side / kSpan;
        const std::uint32_t back = found->sign > 0 ? ring - index : index;
        const std::uint32_t origin = (here + back * kSpan) % side;
        return {{origin}, where(side, [&](std::uint32_t at) {
                    const std::uint32_t up = (at / kSpan + ring - origin / kSpan) % ring;
                    return (found->sign > 0 ? up : (ring - up) % ring) > index;
                })};
    }
    const bool is_last = phase > list.size();
    const std::size_t turn = is_last ? dimension : place;
    const std::uint32_t bit = is_last ? 1 : 2;
    // A bit that has been exchanged is this rank's in targets, and no longer in origins.
    const std::uint32_t shared = turn < index ? bit : 2 * bit;
    return {where(side, [&](std::uint32_t at) { return at % shared == here % shared; }),
            where(side, [&](std::uint32_t at) {
                return turn == index ? at / bit == (here ^ bit) / bit
                                     : at / shared == here / shared;
            })};
}

std::vector<BlockId> SuhShinSteps::blocks(std::uint32_t rank, std::uint32_t step) const {
    if (move(rank, step).distance == 0) return {};
    std::vector<BlockId> origins{0}, targets{0};
    for (std::size_t dimension = 0; dimension < x_torus.dimensions(); ++dimension) {
        const Choices chosen = choices(rank, step, dimension);
        origins = crossed(origins, chosen.origins, x_torus.stride(dimension));
        targets = crossed(targets, chosen.targets, x_torus.stride(dimension));
    }
    std::vector<BlockId> blocks;
    blocks.reserve(origins.size() * targets.size());
    for (const BlockId origin : origins) {
        for (const BlockId target : targets) blocks.push_back(origin * x_torus.ranks() + target);
    }
    return blocks;
}

void SuhShinSteps::write_alltoall(RankProgram& program, std::uint64_t size_bytes) const {
    for (std::uint32_t step = 0; step < steps(); ++step) {
        const Move taken = move(program.rank(), step);
        if (taken.distance != 0) {
            std::vector<BlockId> received, sent;
            if (program.wants_blocks()) {
                received = blocks(taken.source, step);
                sent = blocks(program.rank(), step);
            }
            program.receive(taken.source, taken.blocks * size_bytes, received);
            program.send(taken.target, taken.blocks * size_bytes, sent);
        }
        program.next_step();
    }
}

}  // namespace kumi::collectives
