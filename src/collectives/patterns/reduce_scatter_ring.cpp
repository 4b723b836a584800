#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

void write(RankProgram& program, const PatternParameters& parameters) {
    const Parts parts(parameters.size_bytes * program.ranks(), program.ranks());
    ring_reduce_scatter(program, parts, program.rank());
}

using RingReduceScatter = PlainPattern<write, ring_messages>;
KUMI_REGISTER(Pattern, RingReduceScatter, "reduce_scatter/ring",
              "Parts travel around the ring and are added to at every rank.");

}  // namespace
}  // namespace kumi::collectives
