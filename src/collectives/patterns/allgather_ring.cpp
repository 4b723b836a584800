#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

void write(RankProgram& program, const PatternParameters& parameters) {
    const Parts parts(parameters.size_bytes * program.ranks(), program.ranks());
    ring_allgather(program, parts, program.rank());
}

using RingAllgather = PlainPattern<write, ring_messages>;
KUMI_REGISTER(Pattern, RingAllgather, "allgather/ring",
              "Every rank passes on to the next what came last.");

}  // namespace
}  // namespace kumi::collectives
