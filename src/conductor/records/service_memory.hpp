#pragma once

#include <cstdint>

#include "conductor/records/records.hpp"
#include "endpoint/service/account.hpp"

namespace kumi::conductor {

/// What a rank's account says of its connections and memory, from `at` on.
inline ServiceMemoryRecord service_memory_record(const endpoint::service::Parameters& parameters,
                                                 const endpoint::service::Account& account,
                                                 std::uint32_t rank, Instant at) {
    return {.at_ps = at.ps,
            .memory_bytes = memory_of(parameters, account).total_bytes(),
            .rank = rank,
            .connections = static_cast<std::uint32_t>(account.connections()),
            .refused = static_cast<std::uint32_t>(account.refused),
            .closed = static_cast<std::uint32_t>(account.closed)};
}

}  // namespace kumi::conductor
