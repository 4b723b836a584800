// Block r is the message of rank r.
#include "collectives/patterns/pattern.hpp"

namespace kumi::collectives {
namespace {

class Incast final : public SizedPattern {
   public:
    explicit Incast(const PatternParameters& parameters)
        : SizedPattern(parameters), x_root(parameters.root) {}

    void write(RankProgram& program) const override {
        if (program.rank() != x_root) {
            const BlockId own = program.rank();
            program.send(x_root, x_size_bytes, {&own, 1});
            return;
        }
        for (BlockId source = 0; source < program.ranks(); ++source) {
            if (source == x_root) continue;
            program.receive(static_cast<std::uint32_t>(source), x_size_bytes, {&source, 1});
        }
    }
    std::uint64_t messages(std::uint64_t ranks) const override { return ranks - 1; }

   private:
    std::uint32_t x_root;
};

KUMI_REGISTER(Pattern, Incast, "incast/direct", "All ranks send to the root at once.");

}  // namespace
}  // namespace kumi::collectives
