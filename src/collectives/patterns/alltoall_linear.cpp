// Block o * ranks + t is what rank o has for rank t.
#include "collectives/patterns/pattern.hpp"

namespace kumi::collectives {
namespace {

class LinearAlltoall final : public SizedPattern {
   public:
    using SizedPattern::SizedPattern;

    void write(RankProgram& program) const override {
        const BlockId ranks = program.ranks();
        for (std::uint32_t distance = 1; distance < ranks; ++distance) {
            const std::uint32_t source = program.before(distance);
            const BlockId received = source * ranks + program.rank();
            program.receive(source, x_size_bytes, {&received, 1});
        }
        for (std::uint32_t distance = 1; distance < ranks; ++distance) {
            const std::uint32_t target = program.after(distance);
            const BlockId sent = program.rank() * ranks + target;
            program.send(target, x_size_bytes, {&sent, 1});
        }
    }
    std::uint64_t messages(std::uint64_t ranks) const override { return ranks * (ranks - 1); }
};

KUMI_REGISTER(Pattern, LinearAlltoall, "alltoall/linear", "All receives, then all sends, at once.");

}  // namespace
}  // namespace kumi::collectives
