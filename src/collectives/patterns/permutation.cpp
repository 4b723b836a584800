// Block r is the message of rank r.
#include <numeric>
#include <utility>

#include "base/random/random_stream.hpp"
#include "collectives/patterns/pattern.hpp"

namespace kumi::collectives {
namespace {

/// Sattolo's shuffle: all on one cycle, so that no rank sends to itself.
std::vector<std::uint32_t> random_order(std::uint32_t count, std::uint64_t seed) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    RandomStream random = RandomStreams(seed, "schedule.permutation").stream();
    for (std::uint32_t left = count; left > 1; --left) {
        std::swap(order[left - 1], order[random.below(left - 1)]);
    }
    return order;
}

std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> places(order.size());
    for (std::uint32_t place = 0; place < order.size(); ++place) places[order[place]] = place;
    return places;
}

class RandomPermutation final : public SizedPattern {
   public:
    explicit RandomPermutation(const PatternParameters& parameters)
        : SizedPattern(parameters),
          x_targets(random_order(parameters.ranks, parameters.seed)),
          x_sources(inverse(x_targets)) {}

    void write(RankProgram& program) const override {
        pass(program, x_sources[program.rank()], x_targets[program.rank()]);
    }
    std::uint64_t messages(std::uint64_t ranks) const override { return ranks == 1 ? 0 : ranks; }

   private:
    std::vector<std::uint32_t> x_targets, x_sources;
};

KUMI_REGISTER(Pattern, RandomPermutation, "permutation/random",
              "Every rank sends to another one, by a random permutation.");

}  // namespace
}  // namespace kumi::collectives
