#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// The run's schedule on record: what each rank does with messages, in virtual time. Each of these
/// costs one comparison if it was not asked for.

/// Virtual time begins: what is in the inboxes already has no place in the schedule.
void log_start(ConductorState& state);
/// The rank that `message` comes from sends it now.
void log_send(ConductorState& state, const Message& message);
/// The target of `message` takes it out of its inbox now.
void log_receive(ConductorState& state, const Message& message);
/// A network interface sends `answer` because the message number `request` of its target came.
void log_answer(ConductorState& state, const Message& answer, std::uint64_t request);
/// The rank comes to its end now.
void log_end(ConductorState& state, std::uint32_t rank);

}  // namespace kumi::conductor
