// Connections only to peers that the program sends to where it spends most of its time, as its hint
// says: HINT("IN_KERNEL", "1"). Where there is no room for one, another may be closed.

#include "endpoint/service/service.hpp"

namespace kumi::endpoint::service {

Departure depart_by_hint(const Parameters& parameters, Account& account, Peer& peer,
                         const Sending& sending) {
    return depart_by_hybrid(parameters, account, peer, sending, account.kernel_depth > 0);
}

bool may_evict_for(const Parameters& parameters, const Account& account, const Peer& peer) {
    return parameters.kind == Kind::kHintEvict && account.kernel_depth > 0 &&
           is_worth_connecting(parameters, account, peer);
}

}  // namespace kumi::endpoint::service
