// Reliable connections: fast, with memory for each peer.

#include "endpoint/service/service.hpp"

namespace kumi::endpoint::service {

Departure depart_by_rc(const Parameters& parameters, Account& account, Peer& peer,
                       const Sending& sending) {
    if (!peer.is_connected() && !ask(parameters, account, peer, sending.at))
        return depart_by_ud(parameters, account, sending);
    ++account.by_connection;
    // The rank goes on; the message waits in the queue of the connection.
    return {.leaves = later(sending.at, peer.ready)};
}

}  // namespace kumi::endpoint::service
