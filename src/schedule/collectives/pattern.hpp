#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/registry.hpp"
#include "schedule/collectives/rank_program.hpp"

namespace kumi {

/// What a pattern is made from. Each uses what it needs.
struct PatternParameters {
    std::uint32_t ranks = 1;
    /// Of the whole vector (allreduce, broadcast), of what each rank gives to each (alltoall) or to
    /// all (allgather), of what each rank gets (reduce_scatter), else of a message.
    std::uint64_t size_bytes = 0;
    std::uint32_t root = 0;
    std::uint32_t distance = 1;
    std::uint64_t seed = 0;
    Duration compute{};                       ///< Of each rank in every iteration.
    std::vector<std::uint32_t> dimensions{};  ///< Of a grid; empty: as equal as can be.
};

/// A way of communicating, as every rank takes part in it. Each is one file that registers itself
/// as "pattern/algorithm"; its constructor throws ScheduleError if the parameters are impossible.
class Pattern {
   public:
    using Parameters = PatternParameters;

    virtual ~Pattern() = default;
    /// Writes what the program's rank does once.
    virtual void write(RankProgram& program) const = 0;
    /// How many messages all ranks send when each does it once: by a formula, so that one knows
    /// before hours of work what is too large.
    virtual std::uint64_t messages(std::uint64_t ranks) const = 0;
};

/// One of the parameters that only some patterns use.
struct PatternOption {
    std::string name;
    std::string help;
    std::vector<std::string> patterns;  ///< Without their algorithms; empty: all of them.
    bool is_used_by(const std::string& name_of_pattern) const;
};
/// All but the number of ranks, in the order in which users read about them.
const std::vector<PatternOption>& pattern_options();

/// "alltoall" for its first algorithm, or "alltoall/bruck": the registered name. Throws
/// ScheduleError, which says what there is, if there is none.
std::string find_pattern(const std::string& name);

/// Throws ScheduleError as `generate` does of these parameters, without making anything.
void check_pattern(const std::string& name, const PatternParameters& parameters,
                   std::uint32_t iterations);

/// The schedule of `iterations` rounds of a pattern, each rank's one after the other. Throws
/// ScheduleError.
Schedule generate(const std::string& name, const PatternParameters& parameters,
                  std::uint32_t iterations = 1, ContentsListener* listener = nullptr);

}  // namespace kumi
