#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

class RingReduceScatter final : public SizedPattern {
   public:
    using SizedPattern::SizedPattern;

    void write(RankProgram& program) const override {
        const Parts parts(x_size_bytes * program.ranks(), program.ranks());
        ring_reduce_scatter(program, parts, program.rank());
    }
    std::uint64_t messages(std::uint64_t ranks) const override { return ring_messages(ranks); }
};

KUMI_REGISTER(Pattern, RingReduceScatter, "reduce_scatter/ring",
              "Parts travel around the ring and are added to at every rank.");

}  // namespace
}  // namespace kumi::collectives
