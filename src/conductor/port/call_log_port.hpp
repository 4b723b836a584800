#pragma once

#include <cstdint>

#include "conductor/logs/call_log.hpp"
#include "conductor/port/rank_port.hpp"

namespace kumi::conductor {

/// A rank's end of the conductor for records of calls: see call_log.hpp.
class CallLogPort : public RankPort {
   public:
    explicit CallLogPort(RankProcess& process) : RankPort(process) {}

    /// Whether what the rank asks for is put on record; the rest is only for then.
    bool records_calls() const { return RankAccess::records_calls(); }
    /// Returns the number of the send or the receive, from 1.
    std::uint32_t log_request(const LoggedCall& call);
    void log(const LoggedCall& call);
    /// The rank does what cannot be recorded: ends the run. Returns only before the launcher has
    /// acted.
    void refuse_record(const char* what);
};

}  // namespace kumi::conductor
