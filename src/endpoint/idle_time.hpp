#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "endpoint/send.hpp"
#include "endpoint/service/service.hpp"

namespace kumi::endpoint {

/// What a message takes if nothing else is under way: overheads, matching of the only receive, and
/// the network; of a rendezvous until the sender knows of its end.
///
/// @param parameters  Parameters of endpoints, or what has members of the same names.
/// @param way  `way(is_back, bytes)` is the time over an idle network from the sender to the
///     receiver, or back.
template <class Parameters, class Way>
Duration idle_time(const Parameters& parameters, std::uint64_t size_bytes, const Way& way) {
    const Duration matching =
        parameters.matching.of_arrival({.id = 0, .found = true, .searched = 1});
    const Duration software = parameters.send_overhead + matching + parameters.receive_overhead;
    const Duration data = way(false, size_bytes);
    if (!is_requested(size_bytes, parameters.eager_limit_bytes))
        return software + data + parameters.matching.of_payload(size_bytes);
    const std::uint64_t control_bytes = parameters.control_bytes;
    return software + data + way(false, control_bytes) + 2 * way(true, control_bytes);
}

/// The same between two hosts, where messages may be datagrams: for both ends, one after the other.
template <class Parameters, class Way>
Duration idle_time_between_hosts(const Parameters& parameters, std::uint64_t size_bytes,
                                 const Way& way) {
    return idle_time(parameters, size_bytes, way) +
           service::idle_time(parameters.service, size_bytes,
                              is_requested(size_bytes, parameters.eager_limit_bytes),
                              parameters.control_bytes);
}

}  // namespace kumi::endpoint
