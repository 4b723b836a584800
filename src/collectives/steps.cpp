#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

/// The part `distance` behind `position`, around the end.
BlockId behind(std::uint32_t position, std::uint32_t distance, const Parts& parts) {
    return (std::uint64_t{position} + 2 * std::uint64_t{parts.count()} - distance) % parts.count();
}

/// Once around the ring: parts are passed on, the first `first` behind the rank's own.
void around_ring(RankProgram& program, const Parts& parts, std::uint32_t position,
                 std::uint32_t first, RankProgram::Role role) {
    for (std::uint32_t step = first; step + 1 < first + program.ranks(); ++step) {
        const BlockId sent = behind(position, step, parts);
        const BlockId received = behind(position, step + 1, parts);
        program.take_part({role, program.before(1), parts.bytes(received), {&received, 1}});
        program.send(program.after(1), parts.bytes(sent), {&sent, 1});
        program.next_step();
    }
}

}  // namespace

void ring_reduce_scatter(RankProgram& program, const Parts& parts, std::uint32_t position) {
    around_ring(program, parts, position, 1, RankProgram::Role::kAdds);
}

void ring_allgather(RankProgram& program, const Parts& parts, std::uint32_t position) {
    around_ring(program, parts, position, 0, RankProgram::Role::kReceives);
}

void recursive_halving(RankProgram& program, const Core& core, const Parts& parts) {
    if (!core.has_this_rank()) return;
    for (std::uint32_t half = core.size() / 2; half > 0; half /= 2) {
        const std::uint32_t peer = program.rank() ^ half;
        const auto kept = core.parts_of(parts, program.rank() & ~(half - 1), half);
        const auto given = core.parts_of(parts, peer & ~(half - 1), half);
        program.receive_and_add(peer, parts.bytes(kept), kept);
        program.send(peer, parts.bytes(given), given);
        program.next_step();
    }
}

void recursive_doubling(RankProgram& program, const Core& core, const Parts& parts) {
    if (!core.has_this_rank()) return;
    for (std::uint32_t half = 1; half < core.size(); half *= 2) {
        const std::uint32_t peer = program.rank() ^ half;
        const auto own = core.parts_of(parts, program.rank() & ~(half - 1), half);
        const auto wanted = core.parts_of(parts, peer & ~(half - 1), half);
        program.receive(peer, parts.bytes(wanted), wanted);
        program.send(peer, parts.bytes(own), own);
        program.next_step();
    }
}

void fold(RankProgram& program, const Core& core, const Parts& parts,
          std::span<const BlockId> blocks, RankProgram::Role outside, RankProgram::Role inside) {
    if (!core.has_this_rank() || core.acts_for_another())
        program.take_part(
            {core.has_this_rank() ? inside : outside, core.partner(), parts.bytes(blocks), blocks});
    program.next_step();
}

}  // namespace kumi::collectives
