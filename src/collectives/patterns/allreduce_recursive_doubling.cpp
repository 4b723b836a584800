#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

void write(RankProgram& program, const PatternParameters& parameters) {
    const Parts parts(parameters.size_bytes, 1);
    const Core core(program);
    fold_in(program, core, parts);
    const auto all = parts.all();
    for (std::uint32_t mask = 1; core.has_this_rank() && mask < core.size(); mask *= 2) {
        const std::uint32_t peer = program.rank() ^ mask;
        program.receive_and_add(peer, parameters.size_bytes, all);
        program.send(peer, parameters.size_bytes, all);
        program.next_step();
    }
    fold_out(program, core, parts, all);
}

std::uint64_t messages(std::uint64_t ranks) { return fold_messages(ranks) + core_messages(ranks); }

using RecursiveDoublingAllreduce = PlainPattern<write, messages>;
KUMI_REGISTER(Pattern, RecursiveDoublingAllreduce, "allreduce/recursive_doubling",
              "Ranks exchange and add the whole vector with ever farther ones.");

}  // namespace
}  // namespace kumi::collectives
