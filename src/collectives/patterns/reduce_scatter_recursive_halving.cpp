#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

void write(RankProgram& program, const PatternParameters& parameters) {
    const Parts parts(parameters.size_bytes * program.ranks(), program.ranks());
    const Core core(program);
    fold_in(program, core, parts);
    recursive_halving(program, core, parts);
    const BlockId given = core.outer();
    fold_out(program, core, parts, {&given, 1});
}

std::uint64_t messages(std::uint64_t ranks) { return fold_messages(ranks) + core_messages(ranks); }

using RecursiveHalvingReduceScatter = PlainPattern<write, messages>;
KUMI_REGISTER(Pattern, RecursiveHalvingReduceScatter, "reduce_scatter/recursive_halving",
              "Ranks exchange halves of what they have with ever nearer ones.");

}  // namespace
}  // namespace kumi::collectives
