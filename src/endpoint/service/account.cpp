#include "endpoint/service/account.hpp"

#include <algorithm>

namespace kumi::endpoint::service {
namespace {

/// Whether one more connection fits. Buffers for datagrams count, for whoever is refused later.
bool fits_one_more(const Parameters& parameters, const Account& account) {
    if (account.connections() >= parameters.connection_cap) return false;
    Memory memory = memory_of(parameters, account);
    memory.pool_bytes = parameters.pool_bytes;
    return memory.total_bytes() + parameters.connection_bytes + parameters.eager_buffer_bytes <=
           std::min(parameters.budget_bytes, account.budget_bytes);
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
    if (!fits_one_more(parameters, account)) {
        account.refused += peer.relation == Relation::kRefused ? 0 : 1;
        peer.relation = Relation::kRefused;
        return false;
    }
    peer.relation = Relation::kAsked;
    peer.ready = now + parameters.setup_time;
    ++account.asked;
    return true;
}

void take_hint(Account& account, Hint hint) {
    if (hint.key == HintKey::kMemoryBudget) {
        account.budget_bytes = hint.value / Hint::kBudgetUnit * Hint::kBudgetUnit;
        return;
    }
    std::uint32_t& depth =
        hint.key == HintKey::kInKernel ? account.kernel_depth : account.repeated_depth;
    if (hint.value == 1)
        ++depth;
    else if (depth > 0)
        --depth;
}

void accept(Account& account, Peer& peer, Instant now) {
    if (peer.is_connected()) return;
    peer.relation = Relation::kAccepted;
    peer.ready = now;
    ++account.accepted;
}

}  // namespace kumi::endpoint::service
