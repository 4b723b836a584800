#pragma once

#include <cstdint>

#include "endpoint/request.hpp"

namespace kumi::conductor {

/// Complete requests that are not shown to a process, but held back; see running_ahead.hpp.
struct HeldRequests {
    /// The MPI library may want to answer something that is complete and was not taken yet.
    bool may_answer = false;
    bool holds_internal = false;  ///< Its MPI library's own messages are held back.
    bool sees_internal = false;   ///< They never are any more.
    std::uint32_t first = endpoint::kNone, last = endpoint::kNone;
};

}  // namespace kumi::conductor
