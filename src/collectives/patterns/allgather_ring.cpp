#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

class RingAllgather final : public SizedPattern {
   public:
    using SizedPattern::SizedPattern;

    void write(RankProgram& program) const override {
        const Parts parts(x_size_bytes * program.ranks(), program.ranks());
        ring_allgather(program, parts, program.rank());
    }
    std::uint64_t messages(std::uint64_t ranks) const override { return ring_messages(ranks); }
};

KUMI_REGISTER(Pattern, RingAllgather, "allgather/ring",
              "Every rank passes on to the next what came last.");

}  // namespace
}  // namespace kumi::collectives
