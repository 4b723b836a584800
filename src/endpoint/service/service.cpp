#include "endpoint/service/service.hpp"

#include "base/check.hpp"

namespace kumi::endpoint::service {

Departure depart(const Parameters& parameters, Account& account, Peer& peer,
                 const Sending& sending) {
    switch (parameters.kind) {
        case Kind::kNone:
            break;
        case Kind::kRc:
            return depart_by_rc(parameters, account, peer, sending);
        case Kind::kUd:
            return depart_by_ud(parameters, account, peer, sending);
        case Kind::kHybrid:
            return depart_by_hybrid(parameters, account, peer, sending, /*may_ask=*/true);
        case Kind::kHint:
            return depart_by_hint(parameters, account, peer, sending);
    }
    KUMI_ASSERT(false, "a message without a service");
    return {};
}

}  // namespace kumi::endpoint::service
