#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

void write(RankProgram& program, const PatternParameters& parameters) {
    const Parts parts(parameters.size_bytes * program.ranks(), program.ranks());
    const Core core(program);
    if (!core.has_this_rank()) {
        const BlockId own = program.rank();
        program.send(core.partner(), parameters.size_bytes, {&own, 1});
    } else if (core.acts_for_another()) {
        const BlockId other = core.partner();
        program.receive(core.partner(), parameters.size_bytes, {&other, 1});
    }
    program.next_step();
    recursive_doubling(program, core, parts);
    fold_out(program, core, parts, parts.all());
}

std::uint64_t messages(std::uint64_t ranks) { return fold_messages(ranks) + core_messages(ranks); }

using RecursiveDoublingAllgather = PlainPattern<write, messages>;
KUMI_REGISTER(Pattern, RecursiveDoublingAllgather, "allgather/recursive_doubling",
              "Ranks exchange all they have with ever farther ones.");

}  // namespace
}  // namespace kumi::collectives
