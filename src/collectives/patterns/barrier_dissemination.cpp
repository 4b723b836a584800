// Block r stands for the knowledge that rank r has come. [Hensgen88]
#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

/// The ranks that `rank` knows of before the hop: itself and hop - 1 ranks before it.
std::vector<BlockId> known(const RankProgram& program, std::uint32_t rank, std::uint32_t hop) {
    std::vector<BlockId> ranks;
    for (std::uint32_t i = 0; program.wants_blocks() && i < hop; ++i) {
        ranks.push_back((rank + program.ranks() - i) % program.ranks());
    }
    return ranks;
}

void write(RankProgram& program, const PatternParameters& parameters) {
    for (std::uint32_t hop = 1; hop < program.ranks(); hop *= 2) {
        const std::uint32_t source = program.before(hop);
        program.receive(source, parameters.size_bytes, known(program, source, hop));
        program.send(program.after(hop), parameters.size_bytes,
                     known(program, program.rank(), hop));
        program.next_step();
    }
}

std::uint64_t messages(std::uint64_t ranks) { return ranks * bits_below(ranks); }

using DisseminationBarrier = PlainPattern<write, messages>;
KUMI_REGISTER(Pattern, DisseminationBarrier, "barrier/dissemination",
              "In step k every rank notifies the 2^k-th rank after it.");

}  // namespace
}  // namespace kumi::collectives
