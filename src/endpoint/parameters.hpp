#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "endpoint/service/parameters.hpp"
#include "matching/cost_model.hpp"

namespace kumi::endpoint {

/// What decides how long an endpoint works on a message and how it sends it.
struct Parameters {
    std::uint64_t eager_limit_bytes = 0;    ///< Larger messages go by rendezvous.
    bool sends_complete_delivered = false;  ///< Eager ones; else they are complete at once.
    std::uint64_t control_bytes = 0;        ///< Requests to send, acknowledgements.
    Duration send_overhead{};
    Duration receive_overhead{};
    matching::CostModel matching{};
    bool matches_by_interface = false;  ///< Else the rank does, in its time.
    service::Parameters service{};
};

}  // namespace kumi::endpoint
