// Block o * ranks + t is what rank o has for rank t. [Suh01]
#include <optional>

#include "collectives/patterns/pattern.hpp"
#include "collectives/torus/suh_shin.hpp"

namespace kumi::collectives {
namespace {

/// Blocks travel together, and no two messages of a step share a directed link of the torus.
class SuhShinAlltoall final : public SizedPattern {
   public:
    explicit SuhShinAlltoall(const PatternParameters& parameters)
        : SizedPattern(parameters),
          x_problem(SuhShinSteps::problem(parameters.dimensions, parameters.ranks)) {
        if (x_problem.empty()) x_plan.emplace(RankTorus(parameters.dimensions));
    }

    std::string problem() const override { return x_problem; }
    void write(RankProgram& program) const override {
        x_plan->write_alltoall(program, x_size_bytes);
    }
    std::uint64_t messages(std::uint64_t ranks) const override {
        std::uint64_t of_each = 0;
        const RankTorus& torus = x_plan->torus();
        for (std::size_t dimension = 0; dimension < torus.dimensions(); ++dimension) {
            of_each += torus.side(dimension) / 4 + 1;
        }
        return ranks * of_each;
    }

   private:
    std::string x_problem;
    std::optional<SuhShinSteps> x_plan;  ///< Unless there is a problem.
};

KUMI_REGISTER(Pattern, SuhShinAlltoall, "alltoall/suh_shin",
              "Blocks travel together in a torus; messages of one step share no link.");

}  // namespace
}  // namespace kumi::collectives
