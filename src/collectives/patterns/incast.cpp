// Block r is the message of rank r.
#include "collectives/patterns/pattern.hpp"

namespace kumi::collectives {
namespace {

void write(RankProgram& program, const PatternParameters& parameters) {
    if (program.rank() != parameters.root) {
        const BlockId own = program.rank();
        program.send(parameters.root, parameters.size_bytes, {&own, 1});
        return;
    }
    for (BlockId source = 0; source < program.ranks(); ++source) {
        if (source == parameters.root) continue;
        program.receive(static_cast<std::uint32_t>(source), parameters.size_bytes, {&source, 1});
    }
}

std::uint64_t messages(std::uint64_t ranks) { return ranks - 1; }

using Incast = PlainPattern<write, messages>;
KUMI_REGISTER(Pattern, Incast, "incast/direct", "All ranks send to the root at once.");

}  // namespace
}  // namespace kumi::collectives
