#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

class RingAllreduce final : public SizedPattern {
   public:
    using SizedPattern::SizedPattern;

    void write(RankProgram& program) const override {
        const Parts parts(x_size_bytes, program.ranks());
        ring_reduce_scatter(program, parts, program.rank());
        ring_allgather(program, parts, program.rank());
    }
    std::uint64_t messages(std::uint64_t ranks) const override { return 2 * ring_messages(ranks); }
};

KUMI_REGISTER(Pattern, RingAllreduce, "allreduce/ring",
              "Reduce-scatter, then allgather, around the ring.");

}  // namespace
}  // namespace kumi::collectives
