#include "endpoint/service/service.hpp"

#include "base/check.hpp"

namespace kumi::endpoint::service {

namespace {

Departure depart_by_kind(const Parameters& parameters, Account& account, Peer& peer,
                         const Sending& sending) {
    switch (parameters.kind) {
        case Kind::kNone:
            break;
        case Kind::kRc:
            return depart_by_rc(parameters, account, peer, sending);
        case Kind::kUd:
            return depart_by_ud(parameters, account, sending);
        case Kind::kHybrid:
            return depart_by_hybrid(parameters, account, peer, sending, /*may_ask=*/true);
        case Kind::kHint:
        case Kind::kHintEvict:
            return depart_by_hint(parameters, account, peer, sending);
        case Kind::kOracle:
            return depart_by_oracle(parameters, account, peer, sending);
    }
    KUMI_ASSERT(false, "a message without a service");
    return {};
}

}  // namespace

bool wants_for_schedule(const Parameters& parameters, const Account& account, const Peer& peer) {
    switch (parameters.kind) {
        case Kind::kRc:
            return !peer.is_connected();
        case Kind::kHybrid:
            return is_worth_connecting(parameters, account, peer);
        case Kind::kHint:
        case Kind::kHintEvict:
            return account.kernel_depth > 0 && !peer.is_connected();
        case Kind::kNone:
        case Kind::kUd:
        case Kind::kOracle:
            break;
    }
    return false;
}

Departure depart(const Parameters& parameters, Account& account, Peer& peer,
                 const Sending& sending) {
    Departure departure = depart_by_kind(parameters, account, peer, sending);
    departure.generation = peer.generation;
    if (peer.is_connected()) note_use(account, peer, sending.at);
    ++peer.messages;
    peer.packets +=
        packets_of(parameters, sending.is_request ? sending.fetched_bytes : sending.size_bytes);
    return departure;
}

}  // namespace kumi::endpoint::service
