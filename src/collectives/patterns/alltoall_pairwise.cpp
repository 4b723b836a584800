// Block o * ranks + t is what rank o has for rank t.
#include "collectives/patterns/pattern.hpp"

namespace kumi::collectives {
namespace {

void write(RankProgram& program, const PatternParameters& parameters) {
    const BlockId ranks = program.ranks();
    for (std::uint32_t distance = 1; distance < ranks; ++distance) {
        const std::uint32_t source = program.before(distance);
        const std::uint32_t target = program.after(distance);
        const BlockId received = source * ranks + program.rank();
        const BlockId sent = program.rank() * ranks + target;
        program.receive(source, parameters.size_bytes, {&received, 1});
        program.send(target, parameters.size_bytes, {&sent, 1});
        program.next_step();
    }
}

std::uint64_t messages(std::uint64_t ranks) { return ranks * (ranks - 1); }

using PairwiseAlltoall = PlainPattern<write, messages>;
KUMI_REGISTER(Pattern, PairwiseAlltoall, "alltoall/pairwise",
              "In step k every rank sends to the k-th rank after it.");

}  // namespace
}  // namespace kumi::collectives
