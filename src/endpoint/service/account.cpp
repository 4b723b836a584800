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

/// What connections take alone.
std::uint64_t connection_memory(const Parameters& parameters, const Account& account,
                                std::uint64_t connections) {
    return connections * (parameters.connection_bytes + eager_buffers(parameters, account));
}

/// Whether a connection fits next to `others` more. Buffers for datagrams count, for peers that
/// are refused later.
bool fits_next_to(const Parameters& parameters, const Account& account, std::uint64_t others) {
    if (others >= parameters.connection_cap && !account.is_init_done) return false;
    return parameters.base_bytes + parameters.pool_bytes +
               connection_memory(parameters, account, others + 1) <=
           std::min(parameters.budget_bytes, account.budget_bytes);
}

void note_made(Account& account, Peer& peer, Instant now) {
    account.most = std::max(account.most, account.connections());
    peer.used = now;
    peer.used_in = account.region;
}

void give_up(Account& account, Peer& peer) {
    if (peer.used_in != account.region) --account.idle;
    peer.relation = Relation::kNone;
    ++account.closed;
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

void note_memory(const Parameters& parameters, Account& account) {
    const Memory memory = memory_of(parameters, account);
    if (memory.total_bytes() > account.largest.total_bytes()) account.largest = memory;
}

bool ask(const Parameters& parameters, Account& account, Peer& peer, Instant now) {
    if (!fits_next_to(parameters, account, account.connections())) {
        account.refused += peer.was_refused ? 0 : 1;
        peer.was_refused = true;
        peer.relation = Relation::kRefused;
        return false;
    }
    peer.relation = Relation::kAsked;
    peer.ready = now + parameters.setup_time;
    ++account.asked;
    note_made(account, peer, now);
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
            if (hint.value == 1 && account.kernel_depth == 0) {
                ++account.region;
                account.idle = account.connections();
            }
            return pass_border(account.kernel_depth, account.kernel_unbegun, hint.value == 1);
        case HintKey::kRepeated:
            return pass_border(account.repeated_depth, account.repeated_unbegun, hint.value == 1);
    }
}

void accept(Account& account, Peer& peer, Instant now, std::uint32_t generation) {
    if (generation < peer.generation) return;
    peer.generation = generation;
    if (peer.is_connected()) return note_use(account, peer, now);
    peer.relation = Relation::kAccepted;
    peer.ready = now;
    ++account.accepted;
    note_made(account, peer, now);
}

void note_use(Account& account, Peer& peer, Instant now) {
    if (peer.used_in != account.region) --account.idle;
    peer.used = now;
    peer.used_in = account.region;
}

std::uint64_t closings_needed(const Parameters& parameters, const Account& account) {
    const std::uint64_t connections = account.connections();
    if (account.idle == 0 || !fits_next_to(parameters, account, connections - account.idle))
        return 0;
    std::uint64_t needed = 0;
    while (!fits_next_to(parameters, account, connections - needed)) ++needed;
    return needed;
}

std::uint32_t close(Account& account, Peer& peer) {
    give_up(account, peer);
    ++account.closings;
    return peer.generation++;
}

void hear_closing(Account& account, Peer& peer, std::uint32_t generation) {
    if (generation < peer.generation) return;
    peer.generation = generation + 1;
    if (peer.is_connected()) give_up(account, peer);
}

}  // namespace kumi::endpoint::service
