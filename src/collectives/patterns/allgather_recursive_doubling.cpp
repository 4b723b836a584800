#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

void write(RankProgram& program, const PatternParameters& parameters) {
    const Parts parts(parameters.size_bytes * program.ranks(), program.ranks());
    const Core core(program);
    const BlockId given = core.outer();
    fold(program, core, parts, {&given, 1}, RankProgram::Role::kSends,
         RankProgram::Role::kReceives);
    recursive_doubling(program, core, parts);
    fold_out(program, core, parts, parts.all());
}

std::uint64_t messages(std::uint64_t ranks) { return fold_messages(ranks) + core_messages(ranks); }

using RecursiveDoublingAllgather = PlainPattern<write, messages>;
KUMI_REGISTER(Pattern, RecursiveDoublingAllgather, "allgather/recursive_doubling",
              "Ranks exchange all they have with ever farther ones.");

}  // namespace
}  // namespace kumi::collectives
