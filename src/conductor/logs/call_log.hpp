#pragma once

#include <cstdint>

#include "conductor/records/records.hpp"
#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// A step of a rank, of those that CallRecord holds. What does not belong to its kind is 0.
struct LoggedCall {
    CallStep kind = CallStep::kEnd;
    std::uint64_t tag = 0;
    std::uint64_t ignore = 0;
    std::uint64_t size_bytes = 0;
    std::uint32_t peer = 0;
    std::uint32_t request = 0;
    bool wants_completion = true;
};

/// The run's schedule on record at the height of what MPI libraries ask for. To be called only if
/// that was asked for, and in virtual time: processes are synchronised then, so that the rank's
/// clock is where its process is.
///
/// The transport notes what is posted and sent before it takes any time, and which completions the
/// MPI library has read. The shim notes which earlier calls the program waits for. What follows
/// from that is schedule/recorded/recorded_calls.hpp's business.
void log_call(ConductorState& state, std::uint32_t rank, const LoggedCall& call);

}  // namespace kumi::conductor
