#pragma once

#include <cstdint>
#include <span>

#include "conductor/segment/state.hpp"

/// Where the service of a rank is asked: when a message leaves it, and when one arrives. All but
/// `send_now` only if the platform has a service.
namespace kumi::conductor {

/// Sends a message at the clock of its source, or later if the rank's service says so.
/// `is_request`: for data that its target will fetch. `is_sealed`: it has its seal.
void send_now(ConductorState& state, std::uint32_t message, bool is_request,
              bool is_sealed = false);

/// The target looks at a message: if that has come by a connection, the target has it, too.
void accept_connection(ConductorState& state, std::uint32_t message);

/// The target looks at a notice: the connection is closed.
void hear_closing(ConductorState& state, std::uint32_t message);

/// An oracle knows what the rank is going to send: before the run begins. `traffic` is put into
/// the order of need.
void connect_ahead(ConductorState& state, std::uint32_t rank,
                   std::span<endpoint::service::Traffic> traffic);

/// After that of all ranks: the other ends have the connections, too.
void accept_ahead(ConductorState& state);

/// Notes what connections and memory ranks have at the start, those of an oracle included.
void note_first_memory(ConductorState& state);

/// Puts on record what ranks sent to each other; for the end. Returns false if that could not be
/// written, as Recorder::add does.
[[nodiscard]] bool record_traffic(ConductorState& state);

/// The rank is going to carry out a schedule that sends to `targets`: it asks at its clock for the
/// connections that its service wants. Returns until when it waits for them.
Instant connect_for_schedule(ConductorState& state, std::uint32_t rank,
                             std::span<const std::uint32_t> targets);

/// The rank's program passes a hint.
void take_hint(ConductorState& state, std::uint32_t rank, endpoint::service::Hint hint);

}  // namespace kumi::conductor
