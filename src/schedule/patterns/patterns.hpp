#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectives/patterns/pattern.hpp"
#include "collectives/scheme.hpp"
#include "schedule/patterns/schedule_sink.hpp"
#include "schedule/schedule.hpp"

namespace kumi::schedule {

/// One of the parameters that only some patterns use.
struct PatternOption {
    std::string name;
    std::string help;
    /// Names with or without an algorithm; empty: all patterns.
    std::vector<std::string> patterns;
    bool is_used_by(const std::string& name_of_pattern) const;
};
/// All but the number of ranks, in the order in which users read about them.
const std::vector<PatternOption>& pattern_options();

/// "alltoall" for its first algorithm, or "alltoall/bruck": the registered name. Throws
/// ScheduleError, which says what there is, if there is none.
std::string find_pattern(const std::string& name);

/// The pattern, if there can be a schedule of this number of its rounds. Throws ScheduleError.
std::unique_ptr<collectives::Pattern> make_pattern(const std::string& name,
                                                   const collectives::PatternParameters& parameters,
                                                   std::uint32_t iterations = 1);

/// How the steps of each iteration are kept apart.
struct StepScheme {
    collectives::Scheme scheme = collectives::Scheme::kNone;
    /// When each step of all ranks begins, after the common start; see `step_times`.
    std::vector<Duration> step_begins{};
};

/// The schedule of `iterations` rounds of a pattern, each rank's one after the other. Throws
/// ScheduleError.
Schedule generate(const std::string& name, const collectives::PatternParameters& parameters,
                  std::uint32_t iterations = 1, ContentsListener* listener = nullptr,
                  const StepScheme& scheme = {});

}  // namespace kumi::schedule
