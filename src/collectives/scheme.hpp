#pragma once

#include <cstdint>
#include <span>

#include "base/time/time.hpp"
#include "collectives/rank_program.hpp"

namespace kumi::collectives {

/// How the steps of an algorithm are kept apart, so that messages of different steps do not meet.
enum class Scheme : std::uint8_t {
    kNone,       ///< Not at all: each rank goes on when it has what it waits for.
    kEveryStep,  ///< All ranks synchronise before each step.
    kStart,      ///< All ranks synchronise once, before the first step.
    /// All ranks synchronise once. Then each one waits by the clock for the latest completion of
    /// each step.
    kClock,
};

/// Puts a scheme's synchronisations and waits between the steps of an algorithm that calls it, and
/// passes everything on.
class SchemedProgram final : public RankProgram {
   public:
    /// `step_begins` has the instant of each step after the common start, of all ranks together; it
    /// must outlive this. A rank has no more steps.
    SchemedProgram(RankProgram& inner, Scheme scheme, std::span<const Duration> step_begins);

    /// The steps begin at these instants after a common start that all ranks have left already.
    SchemedProgram(RankProgram& inner, std::span<const Duration> step_begins);

    bool wants_blocks() const override { return x_inner.wants_blocks(); }
    void take_part(const Message& message) override;
    void next_step() override;
    void synchronise() override { x_inner.synchronise(); }
    void wait_until(Duration after_start) override { x_inner.wait_until(after_start); }

    /// The algorithm has ended: ranks synchronise equally often, also those with fewer steps.
    void finish();

   private:
    void begin_operation();

    RankProgram& x_inner;
    Scheme x_scheme;
    std::span<const Duration> x_step_begins;
    std::uint32_t x_step = 0;
    bool x_has_waited = true;  ///< For the instant of the present step.
};

}  // namespace kumi::collectives
