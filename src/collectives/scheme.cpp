#include "collectives/scheme.hpp"

#include "base/check.hpp"

namespace kumi::collectives {

SchemedProgram::SchemedProgram(RankProgram& inner, Scheme scheme,
                               std::span<const Duration> step_begins)
    : RankProgram(inner.rank(), inner.ranks()),
      x_inner(inner),
      x_scheme(scheme),
      x_step_begins(step_begins) {
    if (x_scheme != Scheme::kNone && !x_step_begins.empty()) x_inner.synchronise();
}

SchemedProgram::SchemedProgram(RankProgram& inner, std::span<const Duration> step_begins)
    : RankProgram(inner.rank(), inner.ranks()),
      x_inner(inner),
      x_scheme(Scheme::kClock),
      x_step_begins(step_begins),
      x_has_waited(false) {}

/// A rank waits only before a step in which it does something.
void SchemedProgram::begin_operation() {
    if (x_scheme != Scheme::kClock || x_has_waited) return;
    KUMI_ASSERT(x_step < x_step_begins.size(), "a step has no instant");
    x_has_waited = true;
    x_inner.wait_until(x_step_begins[x_step]);
}

void SchemedProgram::take_part(const Message& message) {
    begin_operation();
    x_inner.take_part(message);
}

void SchemedProgram::next_step() {
    x_inner.next_step();
    ++x_step;
    x_has_waited = false;
    if (x_scheme == Scheme::kEveryStep && x_step < x_step_begins.size()) x_inner.synchronise();
}

void SchemedProgram::finish() {
    while (x_scheme == Scheme::kEveryStep && x_step + 1 < x_step_begins.size()) next_step();
}

}  // namespace kumi::collectives
