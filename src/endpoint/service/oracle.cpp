// The yardstick of the others: connections from the start, to the peers that take the most packets
// in the whole run.

#include "endpoint/service/service.hpp"

namespace kumi::endpoint::service {

Departure depart_by_oracle(const Parameters& parameters, Account& account, Peer& peer,
                           const Sending& sending) {
    return depart_by_hybrid(parameters, account, peer, sending, /*may_ask=*/false);
}

}  // namespace kumi::endpoint::service
