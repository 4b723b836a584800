// Block o * ranks + t is what rank o has for rank t. [Bruck97]
#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

/// What a rank sends by `hop`: all with this bit in their way, after the hops of lower bits.
std::vector<BlockId> blocks_at(BlockId rank, std::uint32_t hop, BlockId ranks) {
    std::vector<BlockId> blocks;
    for (std::uint32_t way = hop; way < ranks; ++way) {
        if ((way & hop) == 0) continue;
        const BlockId origin = (rank + ranks - (way & (hop - 1))) % ranks;
        blocks.push_back(origin * ranks + (origin + way) % ranks);
    }
    return blocks;
}

/// A block that has `way` to go takes one hop for every bit of it, the lowest first.
void write(RankProgram& program, const PatternParameters& parameters) {
    const std::uint32_t ranks = program.ranks();
    for (std::uint32_t hop = 1; hop < ranks; hop *= 2) {
        const std::uint32_t source = program.before(hop);
        const auto sent = blocks_at(program.rank(), hop, ranks);
        const auto received = blocks_at(source, hop, ranks);
        program.receive(source, received.size() * parameters.size_bytes, received);
        program.send(program.after(hop), sent.size() * parameters.size_bytes, sent);
        program.next_step();
    }
}

std::uint64_t messages(std::uint64_t ranks) { return ranks * bits_below(ranks); }

using BruckAlltoall = PlainPattern<write, messages>;
KUMI_REGISTER(Pattern, BruckAlltoall, "alltoall/bruck",
              "Blocks travel together, in as many steps as the number of ranks has bits.");

}  // namespace
}  // namespace kumi::collectives
