#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

void write(RankProgram& program, const PatternParameters& parameters) {
    const Parts whole(parameters.size_bytes, 1);
    const auto all = whole.all();
    binomial_tree(program, parameters.root, [&](const TreeEdge& edge) {
        program.take_part({edge.role, edge.peer, parameters.size_bytes, all});
    });
}

std::uint64_t messages(std::uint64_t ranks) { return ranks - 1; }

using BinomialBroadcast = PlainPattern<write, messages>;
KUMI_REGISTER(Pattern, BinomialBroadcast, "broadcast/binomial",
              "A tree: every rank that has the data passes them on in every step.");

}  // namespace
}  // namespace kumi::collectives
