#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

class BinomialBroadcast final : public SizedPattern {
   public:
    explicit BinomialBroadcast(const PatternParameters& parameters)
        : SizedPattern(parameters), x_root(parameters.root) {}

    void write(RankProgram& program) const override {
        const Parts whole(x_size_bytes, 1);
        const auto all = whole.all();
        binomial_tree(program, x_root, [&](const TreeEdge& edge) {
            if (edge.is_receive) {
                program.receive(edge.peer, x_size_bytes, all);
            } else {
                program.send(edge.peer, x_size_bytes, all);
            }
        });
    }
    std::uint64_t messages(std::uint64_t ranks) const override { return ranks - 1; }

   private:
    std::uint32_t x_root;
};

KUMI_REGISTER(Pattern, BinomialBroadcast, "broadcast/binomial",
              "A tree: every rank that has the data passes them on in every step.");

}  // namespace
}  // namespace kumi::collectives
