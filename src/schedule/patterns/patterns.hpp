#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collectives/patterns/pattern.hpp"
#include "collectives/rank_program.hpp"
#include "collectives/scheme.hpp"
#include "schedule/schedule.hpp"
#include "schedule/schedule_builder.hpp"

namespace kumi::schedule {

/// What a message of a pattern carries, for tests of what a pattern promises.
struct MessageContents {
    std::uint32_t rank = 0;
    std::uint32_t operation = 0;
    std::uint32_t step = 0;  ///< Of the rank.
    std::span<const collectives::BlockId> blocks{};
    bool adds = false;  ///< A receive adds to the blocks that are there, instead of replacing them.
};

class ContentsListener {
   public:
    virtual ~ContentsListener() = default;
    virtual void note(const MessageContents& contents) = 0;
};

/// Writes what one rank does into a schedule.
class ScheduleSink final : public collectives::RankProgram {
   public:
    /// The builder must be at the rank. `listener` may be null.
    ScheduleSink(ScheduleBuilder& builder, ContentsListener* listener)
        : collectives::RankProgram(builder.rank(), builder.ranks()),
          x_builder(builder),
          x_listener(listener) {}

    bool wants_blocks() const override { return x_listener != nullptr; }
    void take_part(const Message& message) override;
    void next_step() override;
    void synchronise() override { begin_step(Operation::synchronise()); }
    void wait_until(Duration after_start) override {
        begin_step(Operation::wait_after(after_start));
    }
    /// Nothing is written for a time of 0.
    void compute(Duration span);

   private:
    std::uint32_t append(const Operation& operation);
    void begin_step(const Operation& operation);

    ScheduleBuilder& x_builder;
    ContentsListener* x_listener;
    std::uint32_t x_step = 0;
    std::vector<std::uint32_t> x_previous;  ///< Operations that this step waits for.
    std::vector<std::uint32_t> x_present;
};

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
