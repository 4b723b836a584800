#include "endpoint/service/account.hpp"

namespace kumi::endpoint::service {
namespace {

/// Whether one more connection fits. Buffers for datagrams count, for whoever is refused later.
bool fits_one_more(const Parameters& parameters, const Account& account) {
    if (account.connections() >= parameters.connection_cap) return false;
    Memory memory = memory_of(parameters, account);
    memory.pool_bytes = parameters.pool_bytes;
    return memory.total_bytes() + parameters.connection_bytes + parameters.eager_buffer_bytes <=
           parameters.budget_bytes;
}

}  // namespace

Memory memory_of(const Parameters& parameters, const Account& account) {
    const bool has_pool = parameters.kind != Kind::kRc || account.refused > 0;
    return {.base_bytes = parameters.base_bytes,
            .connection_bytes = account.connections() * parameters.connection_bytes,
            .eager_buffer_bytes = account.connections() * parameters.eager_buffer_bytes,
            .pool_bytes = has_pool ? parameters.pool_bytes : 0};
}

bool ask(const Parameters& parameters, Account& account, Peer& peer, Instant now) {
    if (peer.relation == Relation::kRefused) return false;
    if (!fits_one_more(parameters, account)) {
        peer.relation = Relation::kRefused;
        ++account.refused;
        return false;
    }
    peer.relation = Relation::kAsked;
    peer.ready = now + parameters.setup_time;
    ++account.asked;
    return true;
}

void hint_in_kernel(Account& account, bool begins) {
    if (begins)
        ++account.kernel_depth;
    else if (account.kernel_depth > 0)
        --account.kernel_depth;
}

void accept(Account& account, Peer& peer, Instant now) {
    if (peer.is_connected()) return;
    peer.relation = Relation::kAccepted;
    peer.ready = now;
    ++account.accepted;
}

}  // namespace kumi::endpoint::service
