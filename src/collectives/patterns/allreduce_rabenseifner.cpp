// [Rabenseifner04]
#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

void write(RankProgram& program, const PatternParameters& parameters) {
    const Core core(program);
    const Parts parts(parameters.size_bytes, core.size());
    fold_in(program, core, parts);
    recursive_halving(program, core, parts);
    recursive_doubling(program, core, parts);
    fold_out(program, core, parts, parts.all());
}

std::uint64_t messages(std::uint64_t ranks) {
    return fold_messages(ranks) + 2 * core_messages(ranks);
}

using RabenseifnerAllreduce = PlainPattern<write, messages>;
KUMI_REGISTER(Pattern, RabenseifnerAllreduce, "allreduce/rabenseifner",
              "Recursive halving, then recursive doubling.");

}  // namespace
}  // namespace kumi::collectives
