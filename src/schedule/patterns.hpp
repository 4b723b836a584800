#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collectives/pattern.hpp"
#include "schedule/schedule.hpp"
#include "schedule/schedule_sink.hpp"

namespace kumi {

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
