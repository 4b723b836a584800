// Connections only to peers that the program sends to where it spends most of its time, as its hint
// says: HINT("IN_KERNEL", "1").

#include "endpoint/service/service.hpp"

namespace kumi::endpoint::service {

Departure depart_by_hint(const Parameters& parameters, Account& account, Peer& peer,
                         const Sending& sending) {
    return depart_by_hybrid(parameters, account, peer, sending, account.kernel_depth > 0);
}

}  // namespace kumi::endpoint::service
