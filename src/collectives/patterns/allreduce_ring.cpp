#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

void write(RankProgram& program, const PatternParameters& parameters) {
    const Parts parts(parameters.size_bytes, program.ranks());
    ring_reduce_scatter(program, parts, program.rank());
    ring_allgather(program, parts, program.rank());
}

std::uint64_t messages(std::uint64_t ranks) { return 2 * ring_messages(ranks); }

using RingAllreduce = PlainPattern<write, messages>;
KUMI_REGISTER(Pattern, RingAllreduce, "allreduce/ring",
              "Reduce-scatter, then allgather, around the ring.");

}  // namespace
}  // namespace kumi::collectives
