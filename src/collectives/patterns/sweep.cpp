// Block r stands for what rank r has contributed to the wave.
#include "collectives/patterns/grid.hpp"

namespace kumi::collectives {
namespace {

/// A wave through a grid of two dimensions, from rank 0 to the opposite corner: a rank goes on when
/// both its predecessors have.
class Sweep final : public SizedPattern {
   public:
    explicit Sweep(const PatternParameters& parameters)
        : SizedPattern(parameters), x_grid(parameters, 2) {}

    std::string problem() const override { return x_grid.problem(); }
    void write(RankProgram& program) const override {
        const std::uint32_t rank = program.rank();
        for (std::size_t axis = 0; axis < 2; ++axis) {
            if (x_grid.coordinate(rank, axis) == 0) continue;
            const std::uint32_t source = x_grid.neighbour(rank, axis, false);
            program.receive(source, x_size_bytes, reached(program, source));
        }
        program.next_step();
        for (std::size_t axis = 0; axis < 2; ++axis) {
            if (x_grid.coordinate(rank, axis) + 1 == x_grid.length(axis)) continue;
            program.send(x_grid.neighbour(rank, axis, true), x_size_bytes, reached(program, rank));
        }
    }
    std::uint64_t messages(std::uint64_t ranks) const override {
        return 2 * ranks - x_grid.length(0) - x_grid.length(1);
    }

   private:
    /// The ranks that the wave has gone through when it leaves `rank`.
    std::vector<BlockId> reached(const RankProgram& program, std::uint32_t rank) const {
        std::vector<BlockId> ranks;
        for (std::uint32_t other = 0; program.wants_blocks() && other <= rank; ++other) {
            if (x_grid.coordinate(other, 0) <= x_grid.coordinate(rank, 0) &&
                x_grid.coordinate(other, 1) <= x_grid.coordinate(rank, 1)) {
                ranks.push_back(other);
            }
        }
        return ranks;
    }

    RankGrid x_grid;
};

KUMI_REGISTER(Pattern, Sweep, "sweep/2d", "A wave from one corner of a grid to the opposite one.");

}  // namespace
}  // namespace kumi::collectives
