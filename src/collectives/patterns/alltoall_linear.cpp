// Block o * ranks + t is what rank o has for rank t.
#include "collectives/patterns/pattern.hpp"

namespace kumi::collectives {
namespace {

void write(RankProgram& program, const PatternParameters& parameters) {
    const BlockId ranks = program.ranks();
    for (std::uint32_t distance = 1; distance < ranks; ++distance) {
        const std::uint32_t source = program.before(distance);
        const BlockId received = source * ranks + program.rank();
        program.receive(source, parameters.size_bytes, {&received, 1});
    }
    for (std::uint32_t distance = 1; distance < ranks; ++distance) {
        const std::uint32_t target = program.after(distance);
        const BlockId sent = program.rank() * ranks + target;
        program.send(target, parameters.size_bytes, {&sent, 1});
    }
}

std::uint64_t messages(std::uint64_t ranks) { return ranks * (ranks - 1); }

using LinearAlltoall = PlainPattern<write, messages>;
KUMI_REGISTER(Pattern, LinearAlltoall, "alltoall/linear", "All receives, then all sends, at once.");

}  // namespace
}  // namespace kumi::collectives
