#include "schedule/replay/features/replay_services.hpp"

#include <algorithm>

#include "conductor/records/service_memory.hpp"

namespace kumi::schedule {

namespace service = endpoint::service;

void ReplayServices::take_hint(std::uint32_t rank, service::Hint hint, Instant now) {
    const std::uint64_t before = memory_of(x_parameters, x_accounts[rank]).total_bytes();
    service::take_hint(x_accounts[rank], hint);
    if (memory_of(x_parameters, x_accounts[rank]).total_bytes() != before) note_memory(rank, now);
}

void ReplayServices::note_memory(std::uint32_t rank, Instant now) {
    service::note_memory(x_parameters, x_accounts[rank]);
    if (x_records == nullptr) return;
    x_records->note(conductor::service_memory_record(x_parameters, x_accounts[rank], rank, now));
}

void ReplayServices::note_first_memory() {
    for (std::uint32_t rank = 0; rank < x_accounts.size(); ++rank) note_memory(rank, {});
}

void ReplayServices::close_least_valuable(std::uint32_t rank) {
    service::Account& account = x_accounts[rank];
    for (std::uint64_t needed = closings_needed(x_parameters, account); needed > 0; --needed) {
        std::uint32_t least = 0;
        service::Peer* found = nullptr;
        // In any order: none of two is as valuable as the other.
        for (auto& [other, peer] : x_peers[rank]) {
            if (!is_less_valuable(account, peer, other, found, least)) continue;
            least = other;
            found = &peer;
        }
        x_closings.push_back({least, service::close(account, *found)});
    }
}

void ReplayServices::hear_closing(std::uint32_t rank, std::uint32_t source, Instant now,
                                  std::uint32_t generation) {
    const std::uint64_t steps = x_accounts[rank].steps();
    service::hear_closing(x_accounts[rank], x_peers[rank][source], generation);
    if (x_accounts[rank].steps() != steps) note_memory(rank, now);
}

void ReplayServices::accept_ahead() {
    for (std::uint32_t rank = 0; rank < x_peers.size(); ++rank) {
        std::vector<std::uint32_t> asked;
        for (const auto& [other, peer] : x_peers[rank])
            if (peer.relation == service::Relation::kAsked) asked.push_back(other);
        // In any order: each is another rank's account.
        for (const std::uint32_t other : asked)
            service::accept(x_accounts[other], x_peers[other][rank], {}, /*generation=*/0);
    }
}

std::vector<conductor::TrafficRecord> ReplayServices::traffic(std::uint32_t rank) const {
    std::vector<conductor::TrafficRecord> found;
    for (const auto& [other, peer] : x_peers[rank])
        if (peer.messages > 0) found.push_back({rank, other, peer.messages, peer.packets});
    std::ranges::sort(found, {}, &conductor::TrafficRecord::target);
    return found;
}

}  // namespace kumi::schedule
