// Unreliable datagrams: memory that does not depend on peers; software cuts messages into packets,
// repeats what is lost, and puts them together again.

#include "endpoint/service/service.hpp"

namespace kumi::endpoint::service {

Departure depart_by_ud(const Parameters& parameters, Account& account, const Sending& sending) {
    const std::uint64_t now = packets_of(parameters, sending.size_bytes);
    const std::uint64_t later =
        sending.is_request ? packets_of(parameters, sending.fetched_bytes) : 0;
    ++account.by_datagrams;
    account.packets += now + later;
    const Duration before = cost_of(parameters, now);
    return {.leaves = sending.at + before,
            .before = before,
            .after = cost_of(parameters, later),
            .by_datagrams = true};
}

}  // namespace kumi::endpoint::service
