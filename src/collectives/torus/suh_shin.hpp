#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/rank_torus.hpp"
#include "collectives/rank_program.hpp"

namespace kumi::collectives {

/// The steps of Suh and Shin's all-to-all on a torus [Suh01], whose sides are multiples of 4.
///
/// Ranks with equal coordinates modulo 4 form a group; 4 x 4 x ... neighbours form a submesh. In
/// the first n phases, of n dimensions, blocks travel within groups, 4 hops a step around one ring
/// a phase, until they are in the submesh of their target. In phase n + 1 they take 2 hops in each
/// dimension in which the target is in the other half of the submesh, in phase n + 2 one hop in
/// each dimension in which they have not arrived. Which dimension a rank uses first depends on its
/// coordinates, so that no two messages of a step share a directed link.
///
/// Block o * ranks + t is the one that rank o has for rank t.
class SuhShinSteps {
   public:
    /// The torus must have no `problem`.
    explicit SuhShinSteps(RankTorus torus);

    /// Why the algorithm cannot do ranks in a torus of these sides; empty if it can.
    static std::string problem(const std::vector<std::uint32_t>& sides, std::uint32_t ranks);

    const RankTorus& torus() const { return x_torus; }
    /// Steps of all ranks. With unequal sides, ranks at shorter rings leave out some of them.
    std::uint32_t steps() const { return static_cast<std::uint32_t>(x_steps.size()); }

    /// The message that a rank sends in a step, and the rank that sends it one of the same size.
    struct Move {
        std::size_t dimension = 0;
        int distance = 0;  ///< In hops, negative: downwards. 0: the rank leaves out this step.
        std::uint32_t target = 0, source = 0;
        std::uint64_t blocks = 0;
    };
    /// In step `step` of those of all ranks.
    Move move(std::uint32_t rank, std::uint32_t step) const;
    /// The blocks that a rank sends in a step; as many as its move says.
    std::vector<BlockId> blocks(std::uint32_t rank, std::uint32_t step) const;
    /// Calls `program` for what its rank does, with blocks of `size_bytes`.
    void write_alltoall(RankProgram& program, std::uint64_t size_bytes) const;

   private:
    struct Step {
        std::uint32_t phase = 0;  ///< From 0.
        std::uint32_t index = 0;  ///< In its phase, from 0.
    };
    /// A dimension, and whether a rank goes up or down in it.
    struct Direction {
        std::size_t dimension = 0;
        int sign = 1;
    };
    /// What a rank may choose from in one dimension: coordinates of origins and of targets.
    struct Choices {
        std::vector<std::uint32_t> origins, targets;
    };

    std::vector<Direction> directions(std::uint32_t rank) const;
    Choices choices(std::uint32_t rank, std::uint32_t step, std::size_t dimension) const;

    RankTorus x_torus;
    std::vector<Step> x_steps;
};

}  // namespace kumi::collectives
