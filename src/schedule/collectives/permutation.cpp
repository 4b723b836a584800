// Block r is the message of rank r.
#include <numeric>
#include <utility>

#include "schedule/collectives/pattern.hpp"

namespace kumi {
namespace {

/// The generator SplitMix64 [Steele14], which is the same everywhere.
class RandomNumbers {
   public:
    explicit RandomNumbers(std::uint64_t seed) : x_state(seed) {}

    /// Below `limit`; the remainder's bias is below 2^-40 for every number of ranks.
    std::uint32_t below(std::uint32_t limit) {
        x_state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t mixed = x_state;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
        return static_cast<std::uint32_t>((mixed ^ (mixed >> 31)) % limit);
    }

   private:
    std::uint64_t x_state;
};

/// Sattolo's shuffle: all on one cycle, so that nobody sends to itself.
std::vector<std::uint32_t> random_order(std::uint32_t count, std::uint64_t seed) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    RandomNumbers random(seed);
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

class RandomPermutation final : public Pattern {
   public:
    explicit RandomPermutation(const PatternParameters& parameters)
        : x_size_bytes(parameters.size_bytes),
          x_targets(random_order(parameters.ranks, parameters.seed)),
          x_sources(inverse(x_targets)) {}

    void write(RankProgram& program) const override {
        const std::uint32_t source = x_sources[program.rank()];
        if (source == program.rank()) return;
        const BlockId own = program.rank();
        const BlockId other = source;
        program.receive(source, x_size_bytes, {&other, 1});
        program.send(x_targets[program.rank()], x_size_bytes, {&own, 1});
    }
    std::uint64_t messages(std::uint64_t ranks) const override { return ranks == 1 ? 0 : ranks; }

   private:
    std::uint64_t x_size_bytes;
    std::vector<std::uint32_t> x_targets, x_sources;
};

KUMI_REGISTER(Pattern, RandomPermutation, "permutation/random",
              "Every rank sends to another one, by a random permutation.");

}  // namespace
}  // namespace kumi
