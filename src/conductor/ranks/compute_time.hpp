#pragma once

#include <cstdint>

#include "conductor/segment/state.hpp"

/// What computing costs in virtual time.
namespace kumi::conductor {

/// CPU time on this computer, at the speed of a node.
Duration time_of_cpu(const RunConfiguration& run, std::int64_t cpu_ns);

/// Counted work, in thousandths of a cycle of a processor that does `flops_per_kilocycle`
/// floating-point operations in a thousand cycles. `rest` is what was too little for a picosecond
/// before, and is so afterwards.
Duration time_of_work(const RunConfiguration& run, std::uint64_t millicycles,
                      std::uint64_t flops_per_kilocycle, std::int64_t& rest);

}  // namespace kumi::conductor
