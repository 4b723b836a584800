// Block r is the message of rank r.
#include "collectives/patterns/pattern.hpp"

namespace kumi::collectives {
namespace {

class Shift final : public SizedPattern {
   public:
    explicit Shift(const PatternParameters& parameters)
        : SizedPattern(parameters), x_distance(parameters.distance % parameters.ranks) {}

    void write(RankProgram& program) const override {
        pass(program, program.before(x_distance), program.after(x_distance));
    }
    std::uint64_t messages(std::uint64_t ranks) const override {
        return x_distance == 0 ? 0 : ranks;
    }

   private:
    std::uint32_t x_distance;
};

KUMI_REGISTER(Pattern, Shift, "shift/direct",
              "Every rank sends to the one a set distance after it.");

}  // namespace
}  // namespace kumi::collectives
