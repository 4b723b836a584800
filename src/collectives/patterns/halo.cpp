// Block 2 * axes * r + tag is the face that rank r sends with this tag.
#include "collectives/patterns/grid.hpp"

namespace kumi::collectives {
namespace {

/// Every rank exchanges faces with both neighbours along every axis of a periodic grid.
class Halo : public SizedPattern {
   public:
    Halo(const PatternParameters& parameters, std::size_t axes)
        : SizedPattern(parameters), x_grid(parameters, axes) {}

    std::string problem() const override { return x_grid.problem(); }
    void write(RankProgram& program) const override {
        for (const auto role : {RankProgram::Role::kReceives, RankProgram::Role::kSends}) {
            for (std::size_t axis = 0; axis < x_grid.axes(); ++axis) {
                if (x_grid.length(axis) == 1) continue;
                for (const bool forward : {true, false}) exchange(program, axis, forward, role);
            }
        }
    }
    std::uint64_t messages(std::uint64_t ranks) const override {
        std::uint64_t faces = 0;
        for (std::size_t axis = 0; axis < x_grid.axes(); ++axis) {
            if (x_grid.length(axis) > 1) faces += 2;
        }
        return ranks * faces;
    }

   private:
    /// The face that goes forward along the axis, or backward, at this rank's end of its way.
    void exchange(RankProgram& program, std::size_t axis, bool forward,
                  RankProgram::Role role) const {
        const bool sends = role == RankProgram::Role::kSends;
        const auto tag = static_cast<std::uint32_t>(2 * axis + (forward ? 0 : 1));
        const std::uint32_t peer = x_grid.neighbour(program.rank(), axis, forward == sends);
        const BlockId owner = sends ? program.rank() : peer;
        const BlockId face = owner * 2 * x_grid.axes() + tag;
        program.take_part({role, peer, x_size_bytes, {&face, 1}, tag});
    }

    RankGrid x_grid;
};

struct Halo2d final : Halo {
    explicit Halo2d(const PatternParameters& parameters) : Halo(parameters, 2) {}
};
struct Halo3d final : Halo {
    explicit Halo3d(const PatternParameters& parameters) : Halo(parameters, 3) {}
};

KUMI_REGISTER(Pattern, Halo2d, "halo/2d", "Faces with the four neighbours in a periodic grid.");
KUMI_REGISTER(Pattern, Halo3d, "halo/3d", "Faces with the six neighbours in a periodic grid.");

}  // namespace
}  // namespace kumi::collectives
