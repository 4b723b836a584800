// [Thakur05]
#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

void write(RankProgram& program, const PatternParameters& parameters) {
    const Parts parts(parameters.size_bytes, program.ranks());
    binomial_tree(program, parameters.root, [&](const TreeEdge& edge) {
        const auto below = parts.range(edge.first, edge.end);
        program.take_part({edge.role, edge.peer, parts.bytes(below), below});
    });
    program.next_step();
    ring_allgather(program, parts, position_behind(program, parameters.root));
}

std::uint64_t messages(std::uint64_t ranks) { return ranks - 1 + ring_messages(ranks); }

using ScatterAllgatherBroadcast = PlainPattern<write, messages>;
KUMI_REGISTER(Pattern, ScatterAllgatherBroadcast, "broadcast/scatter_allgather",
              "Parts are scattered down a tree, then gathered around the ring.");

}  // namespace
}  // namespace kumi::collectives
