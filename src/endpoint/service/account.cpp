#include "endpoint/service/account.hpp"

#include <algorithm>

namespace kumi::endpoint::service {
namespace {

/// Of one connection, with buffers for the largest eager messages of the rank.
std::uint64_t eager_buffers(const Parameters& parameters, const Account& account) {
    const std::uint64_t limit = parameters.eager_limit_bytes;
    if (limit == 0 || account.eager_bytes <= limit) return parameters.eager_buffer_bytes;
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(parameters.eager_buffer_bytes) *
                                      account.eager_bytes / limit);
}

/// Whether one more connection fits. Buffers for datagrams count, for whoever is refused later.
bool fits_one_more(const Parameters& parameters, const Account& account) {
    if (account.connections() >= parameters.connection_cap && !account.is_init_done) return false;
    Memory memory = memory_of(parameters, account);
    memory.pool_bytes = parameters.pool_bytes;
    return memory.total_bytes() + parameters.connection_bytes +
               eager_buffers(parameters, account) <=
           std::min(parameters.budget_bytes, account.budget_bytes);
}

/// A region begins or ends.
void pass_border(std::uint32_t& depth, std::uint32_t& unbegun, bool begins) {
    if (begins)
        ++depth;
    else if (depth > 0)
        --depth;
    else
        ++unbegun;
}

}  // namespace

Memory memory_of(const Parameters& parameters, const Account& account) {
    const bool has_pool = parameters.kind != Kind::kRc || account.refused > 0;
    return {.base_bytes = parameters.base_bytes,
            .connection_bytes = account.connections() * parameters.connection_bytes,
            .eager_buffer_bytes = account.connections() * eager_buffers(parameters, account),
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

bool ask_ahead(const Parameters& parameters, Account& account, Peer& peer) {
    if (!ask(parameters, account, peer, {})) return false;
    peer.ready = {};
    return true;
}

void rank_by_need(std::span<Traffic> traffic) {
    std::ranges::sort(traffic, [](const Traffic& one, const Traffic& other) {
        if (one.packets != other.packets) return one.packets > other.packets;
        return one.target < other.target;
    });
}

void take_hint(Account& account, Hint hint) {
    switch (hint.key) {
        case HintKey::kMemoryBudget:
            account.budget_bytes = hint.size_bytes();
            return;
        case HintKey::kEager:
            account.eager_bytes = std::max(account.eager_bytes, hint.size_bytes());
            return;
        case HintKey::kInitDone:
            account.is_init_done = true;
            return;
        case HintKey::kInKernel:
            return pass_border(account.kernel_depth, account.kernel_unbegun, hint.value == 1);
        case HintKey::kRepeated:
            return pass_border(account.repeated_depth, account.repeated_unbegun, hint.value == 1);
    }
}

void accept(Account& account, Peer& peer, Instant now) {
    if (peer.is_connected()) return;
    peer.relation = Relation::kAccepted;
    peer.ready = now;
    ++account.accepted;
}

}  // namespace kumi::endpoint::service
