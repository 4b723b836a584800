#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/registry.hpp"
#include "base/time/time.hpp"
#include "collectives/rank_program.hpp"

namespace kumi::collectives {

/// What a pattern is made from. Each uses what it needs.
struct PatternParameters {
    std::uint32_t ranks = 1;
    /// Size of a message; of collectives: of the whole vector (allreduce, broadcast), of each
    /// rank's block for each (alltoall) or for all (allgather), of each rank's result
    /// (reduce_scatter).
    std::uint64_t size_bytes = 0;
    std::uint32_t root = 0;
    std::uint32_t distance = 1;
    std::uint64_t seed = 0;
    Duration compute{};                       ///< Of each rank in every iteration.
    std::vector<std::uint32_t> dimensions{};  ///< Of a grid; empty: as equal as can be.
};

/// A way of communicating, as every rank takes part in it. Each is one file that registers itself
/// as "pattern/algorithm". A constructor accepts any parameters and throws nothing: `problem`
/// reports those that are impossible.
class Pattern {
   public:
    using Parameters = PatternParameters;

    virtual ~Pattern() = default;
    /// Why the parameters are impossible, in a plain sentence; empty if they are not. If it is not
    /// empty, the other methods must not be called.
    virtual std::string problem() const { return {}; }
    /// Calls `program` for what its rank does once.
    virtual void write(RankProgram& program) const = 0;
    /// Number of messages that all ranks send together when each does it once: by a formula, so
    /// that a pattern that is too large is refused before hours of work.
    virtual std::uint64_t messages(std::uint64_t ranks) const = 0;
};

/// Base of patterns that are made from the size alone, or from little more.
class SizedPattern : public Pattern {
   public:
    explicit SizedPattern(const PatternParameters& parameters)
        : x_size_bytes(parameters.size_bytes) {}

   protected:
    /// Each rank sends its block, of its own number, to another one; to itself it sends nothing.
    void pass(RankProgram& program, std::uint32_t source, std::uint32_t target) const {
        const BlockId own = program.rank(), other = source;
        if (own == other) return;
        program.receive(source, x_size_bytes, {&other, 1});
        program.send(target, x_size_bytes, {&own, 1});
    }

    std::uint64_t x_size_bytes;
};

/// A pattern of two functions: `kWrite(program, parameters)` and `kMessages(ranks)` do what its
/// methods do.
template <auto kWrite, auto kMessages>
class PlainPattern final : public Pattern {
   public:
    explicit PlainPattern(const PatternParameters& parameters) : x_parameters(parameters) {}

    void write(RankProgram& program) const override { kWrite(program, x_parameters); }
    std::uint64_t messages(std::uint64_t ranks) const override { return kMessages(ranks); }

   private:
    PatternParameters x_parameters;
};

}  // namespace kumi::collectives
