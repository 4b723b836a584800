// [Rabenseifner04]
#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

class RabenseifnerAllreduce final : public SizedPattern {
   public:
    using SizedPattern::SizedPattern;

    void write(RankProgram& program) const override {
        const Core core(program);
        const Parts parts(x_size_bytes, core.size());
        fold_in(program, core, parts);
        recursive_halving(program, core, parts);
        recursive_doubling(program, core, parts);
        fold_out(program, core, parts, parts.all());
    }
    std::uint64_t messages(std::uint64_t ranks) const override {
        return fold_messages(ranks) + 2 * core_messages(ranks);
    }
};

KUMI_REGISTER(Pattern, RabenseifnerAllreduce, "allreduce/rabenseifner",
              "Recursive halving, then recursive doubling.");

}  // namespace
}  // namespace kumi::collectives
