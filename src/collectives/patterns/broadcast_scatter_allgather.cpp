// [Thakur05]
#include "collectives/patterns/pattern.hpp"
#include "collectives/steps.hpp"

namespace kumi::collectives {
namespace {

class ScatterAllgatherBroadcast final : public SizedPattern {
   public:
    explicit ScatterAllgatherBroadcast(const PatternParameters& parameters)
        : SizedPattern(parameters), x_root(parameters.root) {}

    void write(RankProgram& program) const override {
        const Parts parts(x_size_bytes, program.ranks());
        binomial_tree(program, x_root, [&](const TreeEdge& edge) {
            const auto below = parts.range(edge.first, edge.end);
            if (edge.is_receive) {
                program.receive(edge.peer, parts.bytes(below), below);
            } else {
                program.send(edge.peer, parts.bytes(below), below);
            }
        });
        program.next_step();
        ring_allgather(program, parts, position_behind(program, x_root));
    }
    std::uint64_t messages(std::uint64_t ranks) const override {
        return ranks - 1 + ring_messages(ranks);
    }

   private:
    std::uint32_t x_root;
};

KUMI_REGISTER(Pattern, ScatterAllgatherBroadcast, "broadcast/scatter_allgather",
              "Parts are scattered down a tree, then gathered around the ring.");

}  // namespace
}  // namespace kumi::collectives
