// Connections to the peers that come first, datagrams to the others, as MVAPICH2 has it.

#include "endpoint/service/service.hpp"

namespace kumi::endpoint::service {

bool is_worth_connecting(const Parameters& parameters, const Account& account, const Peer& peer) {
    const std::uint64_t before = account.repeated_depth > 0 ? 0 : parameters.messages_before;
    return !peer.is_connected() && peer.messages >= before;
}

Departure depart_by_hybrid(const Parameters& parameters, Account& account, Peer& peer,
                           const Sending& sending, bool may_ask) {
    if (may_ask && is_worth_connecting(parameters, account, peer))
        ask(parameters, account, peer, sending.at);
    if (!peer.is_connected() || sending.at < peer.ready)
        return depart_by_ud(parameters, account, sending);
    ++account.by_connection;
    return {.leaves = sending.at};
}

}  // namespace kumi::endpoint::service
