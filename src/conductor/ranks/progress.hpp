#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "conductor/segment/state.hpp"

/// What computing costs in virtual time, also while it goes on.
namespace kumi::conductor {

/// CPU time on this computer, at the speed of a node.
Duration time_of_cpu(const RunConfiguration& run, std::int64_t cpu_ns);

/// Counted work, in thousandths of a cycle of a processor that does `flops_per_kilocycle`
/// floating-point operations in a thousand cycles. `rest` is what was too little for a picosecond
/// before, and is so afterwards.
Duration time_of_work(const RunConfiguration& run, std::uint64_t millicycles,
                      std::uint64_t flops_per_kilocycle, std::int64_t& rest);

/// A time before which the rank's process, which is away, will ask for nothing: what it has
/// computed until now is in its rank's clock when it is back. Its stream is empty. Never after the
/// limit of time.
Instant reached_by(const ConductorState& state, std::uint32_t rank);

}  // namespace kumi::conductor
